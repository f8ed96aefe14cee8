// IP addresses and ranges of them. Pure: resolves no names and opens no sockets.

export type IpAddress = { bits: 32 | 128; value: bigint }
export type IpRange = { bits: 32 | 128; first: bigint; last: bigint }

/** Null if the text is not an address. An IPv4 address in IPv6 form (`::ffff:10.0.0.1`) stays an IPv6 address. */
export function parseIpAddress(text: string): IpAddress | null {
  const v4 = parseV4(text)
  if (v4 !== null) return { bits: 32, value: v4 }
  const v6 = parseV6(text)
  return v6 === null ? null : { bits: 128, value: v6 }
}

/** `10.0.0.0/8`, `2001:db8::/32` or one address. Null if it is none of them, or if bits after the prefix are set. */
export function parseIpRange(text: string): IpRange | null {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const ip = parseIpAddress(address)
  const length = prefix === undefined ? ip?.bits : Number(prefix)
  if (ip === null || length === undefined || length > ip.bits) return null
  const size = 1n << BigInt(ip.bits - length)
  if (ip.value % size !== 0n) return null
  return { bits: ip.bits, first: ip.value, last: ip.value + size - 1n }
}

export function isInRange({ bits, first, last }: IpRange, ip: IpAddress): boolean {
  return ip.bits === bits && first <= ip.value && ip.value <= last
}

/** True if the address is in one of the ranges. A socket that accepts both kinds reports IPv4 callers in IPv6 form. */
export function isInRanges(ranges: readonly IpRange[], address: string): boolean {
  const ip = parseCaller(address)
  return ip !== null && ranges.some((range) => isInRange(range, ip))
}

/**
 * The addresses that count as one caller: an IPv4 address, or the /64 of an IPv6 address, because one customer of a network has
 * 2^64 of them.
 */
export function callerGroup(address: string): string {
  const ip = parseCaller(address)
  if (ip === null) return address
  return ip.bits === 32 ? `v4:${ip.value}` : `v6:${ip.value >> 64n}`
}

const MAPPED = 0xffffn << 32n

/** An IPv4 address in IPv6 form becomes IPv4. The zone of a link-local address is dropped. */
function parseCaller(address: string): IpAddress | null {
  const ip = parseIpAddress(address.replace(/%.*$/, ''))
  const isMapped = ip?.bits === 128 && ip.value >> 32n === 0xffffn
  return isMapped ? { bits: 32, value: ip.value - MAPPED } : ip
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

/** True for loopback names and addresses, with or without brackets. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return (
    bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
  )
}
