// The address of a caller of a Node process, and the warning about a proxy that is not trusted.
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { parseIpRange } from '../../../src/domain/settings/ip-address.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import type { Config } from '../../../src/runtimes/config/config.ts'
import type { Database } from '../../../src/runtimes/node/database.ts'
import { accessOf } from '../../../src/runtimes/shared/access.ts'

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
