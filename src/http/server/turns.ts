// Turns: costly calls of one caller run one at a time, with pauses that leave most of the main thread to other work.
import type { Context, MiddlewareHandler } from 'hono'
import type { Clock } from '../../ports/clock.ts'
import { rateLimited } from './auth.ts'
import { callerOf } from './caller/address.ts'

/** Calls of one caller that may wait for their turn; one more is rejected. */
const WAITING_MAX = 20

/** After each call the caller pauses for three times its CPU time, so that its calls take a quarter of the thread. */
const PAUSE = 3
/** The CPU time is that of the whole thread. A call takes less than this; the rest is work that ran while it waited for the database. */
const LONGEST_CALL_MS = 100

declare module 'hono' {
  interface ContextVariableMap {
    turns: Turns
  }
}

type Turns = <T>(caller: string, work: () => Promise<T>) => Promise<T>

export function withTurns(clock: Clock): MiddlewareHandler {
  const turns = createTurns(clock)
  return async (c, next) => {
    c.set('turns', turns)
    await next()
  }
}

/**
 * Runs work that takes up to tens of milliseconds of CPU, such as rendering a text of the request. At once where callers have
 * no rate limit, as the application itself with the library.
 */
export function inTurn<T>(c: Context, work: () => Promise<T>): Promise<T> {
  return limited(c, c.get('turns'), work)
}

/** At once where callers have no rate limit. */
export function limited<T>(c: Context, turns: Turns, work: () => Promise<T>): Promise<T> {
  if (c.get('access').limiter === null) return work()
  return turns(c.get('keyId') ?? callerOf(c), work)
}

/** How long a call waits for an earlier one of its caller to end: long enough for one whose connection was closed. */
const EARLIER_MS = 5_000

/**
 * Runs one call of a caller at a time. For work of minutes, which `inTurn` would queue: the connections would be open, and the
 * bodies unread, for as long. So a second call is rejected.
 */
export function createSingleCalls({ after, cpuMs }: Clock): Turns {
  // As in createTurns. These runtimes cancel the work of a caller that leaves, so that it never ends.
  if (cpuMs === undefined) return (_, work) => work()
  const running = new Map<string, Promise<unknown>>()
  return async (caller, work) => {
    const earlier = running.get(caller)
    if (earlier !== undefined) {
      const waited = Promise.withResolvers<void>()
      const timer = after(EARLIER_MS, waited.resolve)
      await Promise.race([earlier, waited.promise])
      timer.cancel()
    }
    if (running.has(caller))
      throw rateLimited(EARLIER_MS, 'A call like this one is still running. Send one at a time.')
    const done = work()
    const ended = done.catch(() => {}).finally(() => running.delete(caller))
    running.set(caller, ended)
    return done
  }
}

function createTurns(clock: Clock): Turns {
  const { cpuMs } = clock
  // The runtimes that cannot measure CPU time limit it themselves.
  if (cpuMs === undefined) return (_, work) => work()
  const queues = new Map<string, (() => void)[]>()
  const startNext = (caller: string) => {
    const start = queues.get(caller)!.shift()
    if (start === undefined) queues.delete(caller)
    else start()
  }
  return async (caller, work) => {
    const waiting = queues.get(caller)
    if (waiting === undefined) queues.set(caller, [])
    else if (waiting.length < WAITING_MAX) await new Promise<void>((start) => waiting.push(start))
    else throw rateLimited(1_000, 'Too many costly calls wait for their turn. Send fewer at once.')
    const startedMs = cpuMs()
    try {
      return await work()
    } finally {
      // By a timer also if there is no pause: the event loop handles other requests between two calls.
      const ownMs = Math.min(cpuMs() - startedMs, LONGEST_CALL_MS)
      clock.after(PAUSE * ownMs, () => startNext(caller))
    }
  }
}
