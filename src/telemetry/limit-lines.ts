// Keeps a flood of notices from becoming a flood of log lines: sums claims and settlements, counts repeated errors, samples
// attempts, leaves out the probes of an outage. Metrics count every notice; only the log is limited.
import { reasonCode } from '../domain/events/failure-reason.ts'
import type { Clock } from '../ports/clock.ts'
import type { Notice, SettledCounts, Telemetry } from '../ports/telemetry.ts'
import { boundNames } from './bound-names.ts'
import type { WriteNotice } from './log.ts'

/** Which attempts get lines of their own: LOG_ATTEMPTS. */
export type LogAttempts = 'all' | 'sampled' | 'none'

type LineLimiter = {
  telemetry: Telemetry
  /** Writes everything that waits for the end of the interval. */
  flush(): void
}

type LineLimits = {
  clock: Clock
  attempts: LogAttempts
  /** False where no timer runs between calls: the end of each call flushes instead. */
  timer: boolean
}

/** Sums and counts are written this often. The first notice of a kind is written at once. */
const INTERVAL_MS = 5_000
/**
 * In each interval so many attempts get their two lines, and so many failures of a kind get one. The telemetry of an event
 * takes 3.6 µs with samples, and 33 µs with lines for every attempt (50,000 events).
 */
const SAMPLE = 10

/** Notices of one kind in this interval: how many have a line, and how many wait to be counted in one. */
type Group = { most: number; written: number; left: number; last: Notice }
type Settled = Notice & { kind: 'settled' }

export function limitLines(write: WriteNotice, { clock, attempts, timer }: LineLimits): LineLimiter {
  const boundType = boundNames()
  const groups = new Map<string, Group>()
  /** Attempts whose start was written: their end is written too. */
  const sampled = new Set<string>()
  /** Names of the channels whose destination is down: a line each minute says so, instead of two for each probe. */
  const down = new Set<string>()
  let openedAt: number | null = null
  let pending: { cancel(): void } | null = null
  /** Null before the first in a quiet interval, which is written at once. */
  let settled: Settled | null = null
  let claimed: number | null = null

  function open(): void {
    openedAt = clock.now()
    if (timer) pending = clock.after(INTERVAL_MS, close)
  }

  function enter(): void {
    if (openedAt !== null && Math.abs(clock.now() - openedAt) >= INTERVAL_MS) close()
    if (openedAt === null) open()
  }

  /** Writes sums and counts. While there are any, one interval follows the other, and nothing is written at once. */
  function close(): void {
    const wasBusy = writeSums()
    pending?.cancel()
    pending = null
    openedAt = null
    for (const [key, group] of groups) {
      if (group.left > 0 && group.most === 1) groups.set(key, { ...group, left: 0 })
      else groups.delete(key)
    }
    if (wasBusy) open()
    else {
      settled = null
      claimed = null
    }
  }

  /** Returns whether there was anything to write. */
  function writeSums(): boolean {
    const counted = [...groups.values()].filter(({ left }) => left > 0)
    const hasSettled = settled !== null && Object.keys(settled.byType).length > 0
    const hasClaimed = claimed !== null && claimed > 0
    if (hasClaimed) write({ kind: 'claimed', count: claimed! })
    if (hasSettled) write(settled!)
    for (const { last, left } of counted) write(last, left)
    if (hasClaimed) claimed = 0
    if (hasSettled) settled = noneSettled()
    return hasSettled || hasClaimed || counted.length > 0
  }

  function flush(): void {
    writeSums()
    pending?.cancel()
    pending = null
    openedAt = null
    settled = null
    claimed = null
    groups.clear()
  }

  /** Writes the first notices of a kind in an interval, and counts the others. */
  function writeFew(key: string, most: number, notice: Notice): void {
    enter()
    const group = groups.get(key) ?? { most, written: 0, left: 0, last: notice }
    groups.set(key, group)
    group.last = notice
    if (group.written >= most) {
      group.left += 1
      return
    }
    group.written += 1
    write(notice)
  }

  function onClaimed({ count }: Notice & { kind: 'claimed' }): void {
    enter()
    if (claimed === null) write({ kind: 'claimed', count })
    claimed = claimed === null ? 0 : claimed + count
  }

  function onSettled(notice: Settled): void {
    if (Object.keys(notice.byType).length === 0) return
    if (attempts !== 'all' && down.size > 0 && isParkedOnly(notice)) return
    enter()
    const isFirst = settled === null
    const sum = settled ?? noneSettled()
    addSettled(sum, notice, boundType)
    if (isFirst) write(sum)
    settled = isFirst ? noneSettled() : sum
  }

  /** Starts are not counted at the end of the interval: the sum of settlements says how many there were. */
  function isSampled(notice: Notice & { kind: 'attempt-started' }): boolean {
    if (down.has(notice.channel)) return false
    enter()
    const group = groups.get(STARTED) ?? { most: SAMPLE, written: 0, left: 0, last: notice }
    groups.set(STARTED, group)
    if (group.written >= SAMPLE || sampled.size >= MOST_SAMPLED) return false
    group.written += 1
    sampled.add(keyOf(notice))
    return true
  }

  function onAttempt(notice: Notice & { kind: 'attempt' }): void {
    if (attempts === 'all' || (sampled.size > 0 && sampled.delete(keyOf(notice)))) return write(notice)
    // The sum of settlements counts them.
    if (notice.outcome === 'delivered' || notice.outcome === 'released') return
    if (notice.outcome === 'parked' && down.has(notice.channel)) return
    const reason = notice.error === null ? '' : reasonCode(notice.error)
    writeFew(`${notice.outcome} ${notice.channel} ${reason}`, SAMPLE, notice)
  }

  function telemetry(notice: Notice): void {
    switch (notice.kind) {
      case 'claimed':
        return onClaimed(notice)
      case 'settled':
        return onSettled(notice)
      case 'attempt-started':
        if (attempts === 'all' || (attempts === 'sampled' && isSampled(notice))) write(notice)
        return
      case 'attempt':
        return onAttempt(notice)
      case 'destination':
        if (notice.state === 'down') down.add(notice.channelName)
        else down.delete(notice.channelName)
        return write(notice)
      case 'error':
        return writeFew(`error ${notice.operation} ${codeOf(notice.error)}`, 1, notice)
      case 'run':
        if (notice.state === 'ended') flush()
        return write(notice)
      default:
        return write(notice)
    }
  }

  return { telemetry, flush }
}

const STARTED = 'attempt-started'
/** Attempts that never end must not fill the memory. */
const MOST_SAMPLED = 1_000

function noneSettled(): Settled {
  return { kind: 'settled', delivered: 0, retried: 0, parked: 0, failed: 0, released: 0, byType: {} }
}

function isParkedOnly({ delivered, retried, failed, released }: SettledCounts): boolean {
  return delivered + retried + failed + released === 0
}

function addSettled(sum: Settled, { byType, ...counts }: Settled, boundType: (type: string) => string): void {
  add(sum, counts)
  for (const [type, own] of Object.entries(byType)) {
    const name = boundType(type)
    const { kind: _, byType: __, ...none } = noneSettled()
    const ofType = sum.byType[name] ?? none
    add(ofType, own)
    sum.byType[name] = ofType
  }
}

function add(sum: SettledCounts, more: SettledCounts): void {
  sum.delivered += more.delivered
  sum.retried += more.retried
  sum.parked += more.parked
  sum.failed += more.failed
  sum.released += more.released
}

function keyOf({ eventId, attempt }: { eventId: string; attempt: number }): string {
  return `${eventId} ${attempt}`
}

/** Errors with different codes get different lines. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name)
}
