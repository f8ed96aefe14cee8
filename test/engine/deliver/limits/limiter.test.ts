// The limits of one destination over several workers, each with its own clock, which share nothing but the store.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChannelLimits } from '../../../../src/domain/settings/channel.ts'
import { type LimitLeases, NO_LEASES, SLOTS_MS } from '../../../../src/domain/settings/limit-leases.ts'
import { createLimiter, type Limiter } from '../../../../src/engine/deliver/limits/limiter.ts'
import type { LimitStore } from '../../../../src/ports/store.ts'
import { createTestClock, MINUTE, SECOND, seededDice, T0, type TestClock } from '../../../support/fixtures.ts'
import { mostInASecond } from '../../../support/most-in-a-second.ts'

let clock: TestClock
let dice: () => number
let stored: string
let writes: number
/** When each send started, by the true time. */
let sent: number[]
let inFlight: number
let most: number
let isDown: boolean
let errors: number
beforeEach(() => {
  clock = createTestClock(T0)
  dice = seededDice(1)
  stored = JSON.stringify(NO_LEASES)
  writes = 0
  sent = []
  inFlight = 0
  most = 0
  isDown = false
  errors = 0
})
const kills: (() => void)[] = []
afterEach(() => {
  for (const kill of kills.splice(0)) kill()
})

const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

/** A database with its own clock; each call takes up to 3 ms each way. */
function storeOf(delayMs = 3): LimitStore {
  const call = async <T>(carryOut: () => T): Promise<T> => {
    await after(dice() * delayMs)
    if (isDown) throw new Error('down')
    const result = carryOut()
    await after(dice() * delayMs)
    return result
  }
  return {
    readLeases: () =>
      call(() => ({
        seen: stored,
        leases: JSON.parse(stored) as LimitLeases,
        databaseMs: clock.now() - T0 + 7 * MINUTE,
      })),
    writeLeases: ({ seen, leases }) =>
      call(() => {
        if (seen !== stored) return false
        writes += 1
        stored = JSON.stringify(leases)
        return true
      }),
  }
}

/** Sends as much as its limiter lets it, with a clock that is `skewMs` off. */
function startWorker(limits: ChannelLimits, { skewMs = 0, waiting = 1e6, takesMs = 30 } = {}) {
  let alive = true
  let own = 0
  let left = waiting
  let reads = 0
  const limiter: Limiter = createLimiter(
    {
      store: storeOf(),
      clock: {
        now: () => clock.now() + skewMs,
        // Time passes between any two readings.
        elapsedMs: () => {
          reads += 1
          return clock.now() - T0 + skewMs + reads / 1_000
        },
        after: clock.after,
      },
      telemetry: () => {
        errors += 1
      },
      dice,
      onChange: pump,
    },
    'channel',
  )
  function pump(): void {
    if (!alive) return
    while (left > 0 && limiter.mayStart(limits, own)) {
      left -= 1
      limiter.onStart()
      void send()
    }
    limiter.request(limits, { waiting: left, inFlight: own })
  }
  async function send(): Promise<void> {
    sent.push(clock.now())
    own += 1
    inFlight += 1
    most = Math.max(most, inFlight)
    await after(takesMs)
    if (!alive) return
    own -= 1
    inFlight -= 1
    pump()
  }
  function kill(): void {
    alive = false
    inFlight -= own
    limiter.close()
  }
  pump()
  kills.push(kill)
  return { kill, sent: () => waiting - left, limiter }
}

describe('a limit of sends per second', () => {
  it.each([1, 5, 50, 300])(
    'of %d holds over six workers that come and go, and is used',
    async (perSecond) => {
      const limits = { perSecond, concurrency: null }
      const skews = [0, 5 * MINUTE, -5 * MINUTE, 17, -3 * SECOND, MINUTE]
      const started = skews.map((skewMs) => startWorker(limits, { skewMs }))
      await clock.advance(5 * SECOND)
      started[0]!.kill()
      startWorker(limits, { skewMs: 2 * MINUTE })
      await clock.advance(5 * SECOND)
      started[1]!.kill()
      await clock.advance(10 * SECOND)
      expect(mostInASecond(sent)).toBeLessThanOrEqual(perSecond)
      expect(sent.length).toBeGreaterThanOrEqual(0.95 * perSecond * 20 - 2)
      // However many are sent.
      expect(writes).toBeLessThan(8 * 20)
    },
  )

  it('is used also while workers start and end before they have sent anything', async () => {
    const limits = { perSecond: 100, concurrency: null }
    startWorker(limits)
    await clock.advance(5 * SECOND)
    const before = sent.length
    for (let i = 0; i < 5; i++) {
      const starting = startWorker(limits)
      await clock.advance(20)
      starting.kill()
      await clock.advance(980)
    }
    expect(sent.length - before).toBeGreaterThanOrEqual(0.95 * 500)
  })

  it('starts the first send of an idle destination at once', async () => {
    startWorker({ perSecond: 10, concurrency: null }, { waiting: 1 })
    await clock.advance(50)
    expect(sent).toHaveLength(1)
  })
})

describe('a limit of sends in flight', () => {
  const limits = { perSecond: null, concurrency: 7 }

  it('holds over six workers, and the slots of one that ended are used after their lease', async () => {
    const started = [0, 1, 2, 3, 4, 5].map((i) => startWorker(limits, { skewMs: i * MINUTE }))
    await clock.advance(5 * SECOND)
    const before = sent.length
    expect(before).toBeGreaterThan(0.9 * 7 * (5_000 / 30))
    for (const worker of started.slice(0, 5)) worker.kill()
    await clock.advance(SLOTS_MS + SECOND)
    const idle = sent.length
    await clock.advance(5 * SECOND)
    expect(sent.length - idle).toBeGreaterThan(0.9 * 7 * (5_000 / 30))
    expect(most).toBe(7)
  })

  it('is given to another worker soon after the last send, and says so while there is none', async () => {
    const first = startWorker(limits, { waiting: 100 })
    await clock.advance(300)
    const second = startWorker(limits, { waiting: 7 })
    await clock.advance(50)
    expect(second.limiter.isDenied()).toBe(true)
    await clock.advance(2 * SECOND)
    expect([first.sent(), second.sent(), second.limiter.isDenied()]).toEqual([100, 7, false])
  })

  it('is returned at once by a worker that stops', async () => {
    const first = startWorker(limits, { takesMs: 10 * MINUTE })
    await clock.advance(SECOND)
    first.kill()
    await Promise.all([first.limiter.returnSlots(limits), clock.advance(50)])
    expect(JSON.parse(stored)).toMatchObject({ slots: {} })
  })

  it('is renewed while the sends that wait have turns and no slot', async () => {
    const both = { perSecond: 2, concurrency: 1 }
    startWorker(both, { waiting: 2, takesMs: MINUTE })
    await clock.advance(10 * SECOND)
    startWorker(both, { waiting: 1 })
    await clock.advance(10 * SECOND)
    expect([sent.length, most]).toEqual([1, 1])
  })

  it.each([
    ['returned', 30],
    ['renewed', MINUTE],
  ])('has an error a second while it cannot be %s', async (_, takesMs) => {
    startWorker(limits, { waiting: 1, takesMs })
    await clock.advance(100)
    isDown = true
    await clock.advance(10 * SECOND)
    expect(errors).toBeGreaterThan(0)
    expect(errors).toBeLessThanOrEqual(11)
  })
})

it('a worker that got fewer slots than it needs asks again four times a second', async () => {
  const limits = { perSecond: null, concurrency: 2 }
  startWorker(limits, { waiting: 1, takesMs: MINUTE })
  await clock.advance(50)
  startWorker(limits, { takesMs: MINUTE })
  await clock.advance(50)
  const before = writes
  await clock.advance(SECOND)
  expect(writes - before).toBeGreaterThanOrEqual(3)
  expect(writes - before).toBeLessThanOrEqual(5)
})

it('a worker that got all slots it asked for gets another one at once', async () => {
  const limits = { perSecond: null, concurrency: 5 }
  const { limiter } = startWorker(limits, { waiting: 0 })
  for (const inFlight of [0, 1]) {
    expect(limiter.mayStart(limits, inFlight)).toBe(false)
    limiter.request(limits, { waiting: 1, inFlight })
    await clock.advance(20)
    expect(limiter.mayStart(limits, inFlight)).toBe(true)
  }
})
