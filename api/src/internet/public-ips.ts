import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// At this address Azure's machines reach Azure's own services. To IANA it is an address like any other.
const AZURE = '168.63.129.16';
// No other global unicast addresses of IPv6 are assigned.
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one machine's on the public internet, by IANA's registries of special-purpose addresses. */
export function isPublicIp(text: string): boolean {
  if (!isIP(text) || text === AZURE) return false;
  const address = ipaddr.parse(text);
  const isAssigned = address instanceof ipaddr.IPv4 || address.match(ASSIGNED);
  return isAssigned && address.range() === 'unicast';
}
