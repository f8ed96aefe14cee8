// The check of a webhook URL before it is saved.
import { describe, expect, it } from 'vitest'
import { whatIsForbidden } from '../../../src/channels/dial/address.ts'
import type { Guard } from '../../../src/channels/dial/dial.ts'
import { checkTarget, parseHttpTarget } from '../../../src/channels/dial/target.ts'

/** Hosts, several in a line. */
const hosts = (...lines: string[]) => lines.flatMap((line) => line.split(' '))

/** Private hosts, in every spelling that a URL parser accepts. */
const PRIVATE_HOSTS = hosts(
  // Loopback, in many spellings.
  '127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1',
  '0177.0.0.1 017700000001 0177.0x0.1 １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 %31%32%37.0.0.1',
  '127%2e0%2e0%2e1 localhost LOCALHOST localhost. ｌｏｃａｌｈｏｓｔ loc%61lhost api.localhost',
  'localhost.localdomain [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1]',
  // Unspecified.
  '0.0.0.0 0 0x0 0.1.2.3 [::] [0::0]',
  // Private networks.
  '10.0.0.1 10.255.255.255 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257',
  '0300.0250.0.1 [::ffff:192.168.0.1] [fc00::1] [fd12:3456:789a::1] [fec0::1]',
  // Link-local, and cloud metadata.
  '169.254.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518',
  '[::ffff:a9fe:a9fe] [fe80::1] [febf::1] [fd00:ec2::254] 100.100.100.200 168.63.129.16 192.0.0.192',
  'metadata.google.internal metadata.google.internal. METADATA.google.INTERNAL metadata',
  // Carrier-grade NAT.
  '100.64.0.1 100.127.255.255',
  // Multicast, reserved and broadcast.
  '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [ff02::1]',
  // Documentation and benchmarking.
  '192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 [2001:db8::1] [3fff::1] [2001:2::1]',
  '[100::1]',
  // Tunnels that carry an IPv4 address inside.
  '[2002:7f00:1::] [2002:a9fe:a9fe::1] 192.88.99.1 [64:ff9b::7f00:1] [64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a00:1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [::ffff:0:127.0.0.1]',
  // Names of private networks.
  'printer.local db.internal nas.lan wiki.corp router.home router.home.arpa redis',
)

const PUBLIC_HOSTS = hosts(
  'example.com hooks.example.com. bücher.example localhost.example.com internal.example.com 8.8.8.8',
  '9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255',
  '172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255',
  '[2606:4700::1111] [2a00:1450:4001::200e] [2001:4860:4860::8888] [2003::1]',
)

const NOT_A_URL = 'This is not a URL'
const SCHEME = "is not a webhook's scheme"
const CLEAR = 'sends names over the internet in the clear'
const CREDENTIALS = 'The URL holds a user name or a password'
const PRIVATE = 'Use a host on the public internet'

/** The message of the problem with a URL; null if there is none. */
function check(url: string, guard: Guard = 'public'): string | null {
  const target = parseHttpTarget('url', url)
  const problems = target.ok ? checkTarget(target.value, guard) : target.problems
  return problems[0]?.message ?? null
}

describe('a webhook URL', () => {
  it.each(PRIVATE_HOSTS)('is rejected with the private host %s', (host) => {
    for (const url of [`https://${host}/hook`, `http://${host}:8080/`]) expect(check(url)).toContain(PRIVATE)
    expect(check(`http://${host}/hook`, 'any')).toBeNull()
  })

  it.each(PUBLIC_HOSTS)('is accepted with the public host %s', (host) => {
    expect(check(`https://${host}/hook?a=b`)).toBeNull()
  })

  it.each([
    ['', NOT_A_URL],
    ['example.com/hook', NOT_A_URL],
    ['https://', NOT_A_URL],
    ['https://[fe80::1%25eth0]/', NOT_A_URL],
    ['https://127.0.0.1%00.example.com/', NOT_A_URL],
    ['https://256.256.256.256/', NOT_A_URL],
    ['ftp://example.com/', SCHEME],
    ['file:///etc/passwd', SCHEME],
    ['gopher://example.com/', SCHEME],
    ['javascript:alert(1)', SCHEME],
    ['http://example.com/', CLEAR],
    ['https://user@example.com/', CREDENTIALS],
    ['https://:password@example.com/', CREDENTIALS],
    ['https://example.com@127.0.0.1/', CREDENTIALS],
    ['https:\\\\127.0.0.1\\', PRIVATE],
    ['https:127.0.0.1', PRIVATE],
    ['https://127.0.0.1\t/', PRIVATE],
  ])('is rejected as %j: %s', (url, reason) => {
    expect(check(url)).toContain(reason)
  })

  it('is accepted with a private host in its fragment', () => {
    expect(check('https://example.com#@127.0.0.1/')).toBeNull()
  })

  it('is rejected for credentials and other schemes even where private hosts are allowed', () => {
    expect(check('ftp://localhost/', 'any')).toContain(SCHEME)
    expect(check('http://user:password@localhost/', 'any')).toContain(CREDENTIALS)
  })

  it.each(['127.0.0.1', '127.255.0.1', '0x7f.1', 'localhost', 'localhost.', 'app.localhost', '[::1]'])(
    'is accepted with %s where loopback is allowed, without encryption too',
    (host) => expect(check(`http://${host}:8080/hook`, 'loopback')).toBeNull(),
  )

  it.each(PRIVATE_HOSTS.slice(PRIVATE_HOSTS.indexOf('[::ffff:127.0.0.1]')))(
    'is rejected with the private host %s where only loopback is allowed',
    (host) => expect(check(`https://${host}/`, 'loopback')).toContain(PRIVATE),
  )

  it('is rejected without encryption to a public host where loopback is allowed', () => {
    expect(check('http://example.com/', 'loopback')).toContain(CLEAR)
  })

  it('is rejected with a remedy, and without its password', () => {
    const reason = check('https://me:hunter2@example.com/')
    expect(reason).toContain('Leave them out')
    expect(reason).not.toContain('hunter2')
  })
})

describe('the kind of an IP address', () => {
  it.each([
    ['127.0.0.1', 'a loopback'],
    ['::1', 'a loopback'],
    ['::', 'an unspecified'],
    ['::8.8.8.8', 'an IPv4-compatible'],
    ['::ffff:8.8.8.8', 'an IPv4-mapped'],
    ['64:ff9b::8.8.8.8', 'a NAT64'],
    ['64:ff9b:1::1', 'a NAT64'],
    ['fd00:ec2::254', 'a private'],
    ['fe80::1', 'a link-local'],
    ['ff02::1', 'a multicast'],
    ['2001:0:1::', 'a Teredo'],
    ['4000::1', 'a reserved'],
    ['8.8.8.8', null],
    ['2606:4700::1111', null],
    ['fe80::1%eth0', undefined],
    ['0177.0.0.1', undefined],
    ['8.8.8', undefined],
    ['8.8.8.256', undefined],
    ['example.com', undefined],
  ])('of %s is %s', (address, what) => {
    expect(whatIsForbidden(address)).toBe(what)
  })
})
