import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isPublicIp } from '../../src/internet/public-ips.ts';

const NOT_PUBLIC = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  shared: ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.0.0.2', '127.255.255.255', '::1'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'protocol assignments': ['192.0.0.1', '192.0.0.192', '2001::1', '2001:1::1', '2001:1ff::'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '4000::1', '8000::1', 'e000::1'],
  'relays and clouds': ['192.88.99.1', '168.63.129.16'],
  unspecified: ['::'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff::1'],
  'site-local': ['fec0::1'],
  mapped: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1'],
  compatible: ['::127.0.0.1', '::8.8.8.8', '::a00:1'],
  translated: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '::ffff:0:127.0.0.1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:2f:ffff::'],
  'discard, segment routing': ['100::1', '5f00::1'],
  'no address at all': [
    ...['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '010.0.0.1', '8.8.8.8:80', '[::1]'],
  ],
};

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2001:200::1'],
  ...['2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '2a00:1450:4001::1'],
];

for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
  it(`not public: ${kind}`, () => {
    for (const address of addresses) assert.equal(isPublicIp(address), false, address);
  });
}

it('all other addresses are public', () => {
  for (const address of PUBLIC) assert.equal(isPublicIp(address), true, address);
});
