/** One URL for each host of a PostgreSQL URL. libpq writes several as `host:port,host:port`. */
export function hostsOf(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => start + host + end);
}
