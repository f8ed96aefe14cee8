// Parsers for the values of settings. Each returns undefined for a value that it cannot parse.

import type { GivenKey } from '../../app/access/api-keys.ts'
import { SCOPES } from '../../domain/access/api-key.ts'
import { type IpRange, parseIpRange } from '../../domain/access/ip-address.ts'
import { type LatenessPolicy, missedAfter } from '../../domain/events/lateness.ts'
import { RETRY_PRESETS, type RetryPolicy } from '../../domain/events/retry-policy.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import { parseQuietHours } from '../../domain/tasks/task.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { parseAddress } from '../../domain/users/email-address.ts'
import { isGuessable, parseSecret } from '../../receiver/secret.ts'

export type Parse<T> = (text: string) => T | undefined

/** Reads a setting: its value, or its default. */
export type Read = {
  <T>(name: string, standard: string, parse: Parse<T>, remedy: string): T
  <T>(name: string, standard: null, parse: Parse<T>, remedy: string): T | null
}

export const text = (value: string) => value

/** A secret. */
export const longText = (value: string) => (/^[\x21-\x7e]{20,200}$/.test(value) ? value : undefined)

/** A namespace of CloudWatch. AWS/ is reserved. */
export const namespace = (value: string) => (/^(?!AWS\/)[\w./#-]{1,255}$/.test(value) ? value : undefined)

export function wholeNumber(least: number, most: number) {
  return (value: string): number | undefined => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  }
}

/** An e-mail address, or the name of a channel. */
export function reportTarget(value: string): string | undefined {
  return value.includes('@') && parseAddress(value) === null ? undefined : value
}

export function webUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? value : undefined
}

/** A web address without a path. */
export function origin(value: string): string | undefined {
  const url = webUrl(value)
  if (url === undefined) return undefined
  const { origin, pathname, search, hash } = new URL(url)
  return pathname === '/' && search === '' && hash === '' ? origin : undefined
}

export function signingSecrets(value: string): string[] | undefined {
  const secrets = value.split(',').map((secret) => secret.trim())
  const keys = secrets.map(parseSecret)
  return keys.every((key) => key !== null && !isGuessable(key)) ? secrets : undefined
}

/** Wrong keys are not locked out together with right ones, so a key must not be found by guessing. */
export function givenKeys(value: string): GivenKey[] | undefined {
  const keys = value.split(',').map((entry) => {
    const [, name, scope, key] = /^\s*([\w-]{1,100}):(\w+):(\S{32,200})\s*$/.exec(entry) ?? []
    const known = SCOPES.find((one) => one === scope)
    const isUsable = key !== undefined && !isGuessable(new TextEncoder().encode(key))
    return name && known && isUsable ? { name, scope: known, hash: sha256Hex(key) } : undefined
  })
  return keys.every((key) => key !== undefined) ? keys : undefined
}

export function ipRanges(value: string): IpRange[] | undefined {
  const ranges = value.split(',').map((range) => parseIpRange(range.trim()))
  return ranges.every((range) => range !== null) ? ranges : undefined
}

export function rateLimit(value: string): number | null | undefined {
  if (value === 'off') return null
  const perMinute = Number(/^(\d{1,7})\/min$/.exec(value)?.[1])
  return perMinute >= 1 ? perMinute : undefined
}

export function trueOrFalse(value: string): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined
}

export function localTime(value: string): string | undefined {
  return parseLocalTime(value) === null ? undefined : value
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
}

/** `90d`, `36h`, `5m`, `1s` or `200ms`, in milliseconds. */
export function parseShortDuration(value: string): number | undefined {
  const match = /^(\d{1,6})(ms|s|m|h|d)$/.exec(value.trim())
  return match === null ? undefined : Number(match[1]) * UNIT_MS[match[2]!]!
}

/** The shortest form that `parseShortDuration` reads back. */
export function shortDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, unitMs]) => ms % unitMs === 0)!
  return `${ms / unitMs}${unit}`
}

export function retryPolicy(value: string): RetryPolicy | undefined {
  if (value === 'none') return { delaysMs: [] }
  if (value === 'quick' || value === 'standard') return RETRY_PRESETS[value]
  // The earlier name of `quick`.
  if (value === 'seeds') return RETRY_PRESETS.quick
  const delaysMs = value.split(',').flatMap(repeatedDelay)
  return delaysMs.every((delay) => delay !== undefined) ? { delaysMs } : undefined
}

/** `10s` once, `18x10s` eighteen times. */
function repeatedDelay(value: string): (number | undefined)[] {
  const [, times = '1', delay] = /^(?:([1-9]\d{0,2})x)?(.+)$/.exec(value.trim()) ?? []
  return Array(Number(times)).fill(delay === undefined ? undefined : parseShortDuration(delay))
}

export function catchUpWindow(value: string): number | null | undefined {
  return value === 'unlimited' ? null : parseShortDuration(value) || undefined
}

/** `BIRTHDAY=2h..3d`: belated after two hours, missed after three days. Either may be left out. */
export function latenessPolicy(value: string, catchUpWindowMs: number | null): LatenessPolicy | undefined {
  const policy = new Map(missedAfter(catchUpWindowMs))
  for (const entry of value.split(',')) {
    const [, type, ...limits] = /^\s*([A-Z][A-Z0-9_]{0,63}|\*)=(\w*)\.\.(\w*)\s*$/.exec(entry) ?? []
    const [belatedAfterMs, missedAfterMs] = limits.map((limit) =>
      limit === '' ? null : parseShortDuration(limit),
    )
    if (type === undefined || belatedAfterMs === undefined || missedAfterMs === undefined) return undefined
    policy.set(type, { belatedAfterMs, missedAfterMs })
  }
  return policy
}

export function quietHours(value: string): string | undefined {
  return parseQuietHours(value) === null ? undefined : value
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export const LOG_ATTEMPTS = ['all', 'sampled', 'none'] as const

export function oneOf<T extends string>(known: readonly T[]) {
  return (value: string): T | undefined => known.find((one) => one === value)
}
