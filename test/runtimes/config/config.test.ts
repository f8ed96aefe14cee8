// Settings: how each value is parsed, and the error for an invalid one.
import { describe, expect, it } from 'vitest'
import { latenessOf } from '../../../src/domain/events/lateness.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'

const HOUR = 3_600_000

describe('a setting', () => {
  it('can switch off the rate limit and the catch-up window', () => {
    expect(readConfig({ RATE_LIMIT: 'off' }).rateLimit).toBeNull()
    expect(readConfig({}).rateLimit).toBe(6_000)
    expect(
      latenessOf(readConfig({ CATCH_UP_WINDOW: 'unlimited' }).lateness, 'BIRTHDAY').missedAfterMs,
    ).toBeNull()
  })

  it('PUBLIC_URL may end with a slash', () => {
    expect(readConfig({ PUBLIC_URL: 'https://terce.example/' }).publicUrl).toBe('https://terce.example')
  })

  it('TRUSTED_PROXIES accepts ranges and single addresses', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toHaveLength(2)
  })

  it('RETRY accepts a preset by name, and the earlier name of quick', () => {
    const delays = (env: Record<string, string>) => readConfig(env).retryPolicy.delaysMs
    expect(delays({})).toEqual([1_000, 2_000, 4_000, 30_000, 120_000, 600_000])
    expect(delays({ RETRY: 'quick' })).toEqual([1_000, 2_000, 4_000])
    expect(delays({ RETRY: 'seeds' })).toEqual([1_000, 2_000, 4_000])
    expect(delays({ RETRY: 'standard' })).toHaveLength(9)
    expect(delays({ RETRY: 'none' })).toEqual([])
  })

  it('LATENESS applies to its type, and CATCH_UP_WINDOW to all others', () => {
    const { lateness } = readConfig({
      CATCH_UP_WINDOW: '36h',
      LATENESS: 'BIRTHDAY=2h..3d, TASK_REMINDER=..12h',
    })
    expect(latenessOf(lateness, 'BIRTHDAY')).toEqual({ belatedAfterMs: 2 * HOUR, missedAfterMs: 72 * HOUR })
    expect(latenessOf(lateness, 'TASK_REMINDER')).toEqual({ belatedAfterMs: null, missedAfterMs: 12 * HOUR })
    expect(latenessOf(lateness, 'PARTY')).toEqual({ belatedAfterMs: null, missedAfterMs: 36 * HOUR })
  })

  it.each([
    ['WEBHOOK_SECRET', `whsec_${'a'.repeat(32)}`],
    ['WEBHOOK_SECRET', `whsec_${btoa('0123456789abcdefghijklmn')}`],
    ['LATENESS', 'BIRTHDAY=2h'],
    ['LATENESS', 'birthday=2h..3d'],
    ['PUBLIC_URL', 'terce.example'],
    ['PUBLIC_URL', 'https://terce.example/app'],
    ['PUBLIC_URL', 'https://user:pass@terce.example'],
    ['TRUSTED_PROXIES', '10.0.0.1/8'],
    ['TRUSTED_PROXIES', 'true'],
    ['QUIET_HOURS', '22-8'],
    ['RATE_LIMIT', '0/min'],
    ['TERCE_TZDB', 'nowhere.json'],
  ])('%s=%s is rejected in one line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}=.*is not usable`))
  })
})
