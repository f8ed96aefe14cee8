// IP ranges of keys and trusted proxies, and the addresses that count as one caller.
import { describe, expect, it } from 'vitest'
import { callerGroup, isInRanges, parseIpRange } from '../../../src/domain/access/ip-address.ts'

describe('an IP range', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1', '::1', true],
    ['10.0.0.0/8', 'not an address', false],
  ])('%s contains %s: %s', (range, address, expected) => {
    expect(isInRanges([parseIpRange(range)!], address)).toBe(expected)
  })

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '2001:db8::/129',
    '2001:db8::1/32',
    '10.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'example.com',
  ])('is not made from "%s"', (text) => {
    expect(parseIpRange(text)).toBeNull()
  })
})

describe('the caller of a rate limit', () => {
  it('is one IPv4 address, also in IPv6 form', () => {
    expect(callerGroup('::ffff:10.0.0.1')).toBe(callerGroup('10.0.0.1'))
    expect(callerGroup('10.0.0.2')).not.toBe(callerGroup('10.0.0.1'))
  })

  it('is the /64 of an IPv6 address', () => {
    expect(callerGroup('2001:db8:1:2::1')).toBe(callerGroup('2001:db8:1:2:ffff:ffff:ffff:ffff'))
    expect(callerGroup('2001:db8:1:3::1')).not.toBe(callerGroup('2001:db8:1:2::1'))
  })

  it('is the text itself if it is not an address', () => {
    expect(callerGroup('unknown')).toBe('unknown')
  })
})
