import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// Azure's own services, as its machines see them. To IANA it is an address like any other.
const AZURE = '168.63.129.16';
// No other addresses of IPv6 are assigned at all.
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one machine's on the public internet, by IANA's registries of special-purpose addresses. */
export function isPublicIp(text: string): boolean {
  if (!isIP(text) || text === AZURE) return false;
  const address = ipaddr.parse(text);
  const isAssigned = address instanceof ipaddr.IPv4 || address.match(ASSIGNED);
  return isAssigned && address.range() === 'unicast';
}
