// Classifies IP addresses that are not on the public internet. Pure: resolves no names and opens no sockets.

type Range = { first: bigint; last: bigint; what: string }

/** The ranges that the IANA special-purpose registries do not list as globally reachable, and cloud metadata addresses. */
const FORBIDDEN_V4 = ranges(32, {
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
const PUBLIC_V6 = range(128, '2000::/3', '')
const FORBIDDEN_V6 = ranges(128, {
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
  const v4 = parseV4(address)
  if (v4 !== null) return find(FORBIDDEN_V4, v4)
  const v6 = parseV6(address)
  if (v6 === null) return undefined
  const what = find(FORBIDDEN_V6, v6)
  return what ?? (isWithin(PUBLIC_V6, v6) ? null : 'a reserved')
}

function parseV4(text: string): bigint | null {
  const octets = text.split('.')
  if (
    octets.length !== 4 ||
    !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)
  )
    return null
  return octets.reduce((number, octet) => number * 256n + BigInt(octet), 0n)
}

/** Uses the URL parser, which normalises an address to at most one gap and no dotted part. */
function parseV6(text: string): bigint | null {
  if (!text.includes(':') || !URL.canParse(`http://[${text}]`)) return null
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const before = groups(head)
  const after = groups(tail ?? '')
  const gap = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...gap, ...after].reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n)
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

function range(width: number, cidr: string, what: string): Range {
  const [address = '', bits] = cidr.split('/')
  const first = (parseV4(address) ?? parseV6(address))!
  return { first, last: first + (1n << BigInt(width - Number(bits))) - 1n, what }
}

function ranges(width: number, table: Readonly<Record<string, string>>): Range[] {
  return Object.entries(table).map(([cidr, what]) => range(width, cidr, what))
}

function isWithin({ first, last }: Range, address: bigint): boolean {
  return first <= address && address <= last
}

function find(table: readonly Range[], address: bigint): string | null {
  return table.find((row) => isWithin(row, address))?.what ?? null
}
