// The address of a caller of a Node process, the warning about a proxy that is not trusted, and random tokens.
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { parseIpRange } from '../../../src/domain/access/ip-address.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import type { Config } from '../../../src/runtimes/config/config.ts'
import type { Database } from '../../../src/runtimes/node/database.ts'
import { accessOf, keysOf, randomToken } from '../../../src/runtimes/shared/access.ts'

async function noticesOf(trusted: string[], headers: Record<string, string>): Promise<Notice[]> {
  const notices: Notice[] = []
  const config = {
    apiKeys: [],
    rateLimit: null,
    host: '0.0.0.0',
    trustedProxies: trusted.map((range) => parseIpRange(range)!),
  }
  const access = accessOf(config as unknown as Config, {} as Database, (notice) => notices.push(notice))
  const app = new Hono().get('/', (c) => c.text(String(access.remoteAddress(c))))
  for (let i = 0; i < 3; i++) await app.request('/', { headers })
  return notices
}

it('a process without TRUSTED_PROXIES reports requests with X-Forwarded-For once', async () => {
  const forwarded = { 'X-Forwarded-For': '203.0.113.7' }
  expect(await noticesOf([], forwarded)).toEqual([{ kind: 'untrusted-proxy' }])
  expect(await noticesOf(['10.0.0.0/8'], forwarded)).toEqual([])
  expect(await noticesOf([], {})).toEqual([])
})

it('tokens of sessions, and keys, have 256 bits that are different each time', () => {
  const { newKey } = keysOf({} as Database)
  const tokens = Array.from({ length: 1_000 }, () => randomToken())
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  expect(newKey()).toMatch(/^terce_[\w-]{43}$/)
  expect(new Set(tokens).size).toBe(1_000)
  // Each bit is set in about half of the tokens; 400 to 600 is six standard deviations.
  for (let bit = 0; bit < 256; bit++) {
    const set = tokens.filter((token) => (Buffer.from(token, 'base64url')[bit >> 3]! >> (bit & 7)) & 1)
    expect(Math.abs(set.length - 500)).toBeLessThan(100)
  }
})
