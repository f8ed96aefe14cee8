// Classifies IP addresses that are not on the public internet. Pure: resolves no names and opens no sockets.

import {
  type IpAddress,
  type IpRange,
  isInRange,
  parseIpAddress,
  parseIpRange,
} from '../../domain/access/ip-address.ts'

type Named = { range: IpRange; what: string }

/** The ranges that the IANA special-purpose registries do not list as globally reachable, and cloud metadata addresses. */
const FORBIDDEN_V4 = named({
  '0.0.0.0/8': 'an unspecified',
  '10.0.0.0/8': 'a private',
  '100.64.0.0/10': 'a carrier-internal',
  '127.0.0.0/8': 'a loopback',
  '168.63.129.16/32': 'a cloud metadata',
  '169.254.0.0/16': 'a link-local',
  '172.16.0.0/12': 'a private',
  '192.0.0.0/24': 'a reserved',
  '192.0.2.0/24': 'a documentation',
  '192.88.99.0/24': 'a 6to4 relay',
  '192.168.0.0/16': 'a private',
  '198.18.0.0/15': 'a benchmarking',
  '198.51.100.0/24': 'a documentation',
  '203.0.113.0/24': 'a documentation',
  '224.0.0.0/4': 'a multicast',
  '240.0.0.0/4': 'a reserved',
})

/** Of IPv6 only 2000::/3 is public. Rows outside it serve to name the kind of address. */
const PUBLIC_V6 = parseIpRange('2000::/3')!
const FORBIDDEN_V6 = named({
  '::/128': 'an unspecified',
  '::1/128': 'a loopback',
  '::/96': 'an IPv4-compatible',
  '::ffff:0:0/96': 'an IPv4-mapped',
  '64:ff9b::/96': 'a NAT64',
  '64:ff9b:1::/48': 'a NAT64',
  '2001::/32': 'a Teredo',
  '2001::/23': 'a reserved',
  '2001:db8::/32': 'a documentation',
  '2002::/16': 'a 6to4',
  '3fff::/20': 'a documentation',
  'fc00::/7': 'a private',
  'fe80::/10': 'a link-local',
  'ff00::/8': 'a multicast',
})

/** The kind of a forbidden address, such as `a loopback`; null for a public address, undefined if the text is no address. */
export function whatIsForbidden(address: string): string | null | undefined {
  const ip = parseIpAddress(address)
  if (ip === null) return undefined
  if (ip.bits === 32) return find(FORBIDDEN_V4, ip)
  return find(FORBIDDEN_V6, ip) ?? (isInRange(PUBLIC_V6, ip) ? null : 'a reserved')
}

function named(table: Readonly<Record<string, string>>): Named[] {
  return Object.entries(table).map(([cidr, what]) => ({ range: parseIpRange(cidr)!, what }))
}

function find(table: readonly Named[], ip: IpAddress): string | null {
  return table.find(({ range }) => isInRange(range, ip))?.what ?? null
}
