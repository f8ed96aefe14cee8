// Slow queries are cached longer, and every value says how old it is.
import { describe, expect, it } from 'vitest'
import { cached, createTtlCache } from '../../src/app/cached.ts'
import { createTestClock, DAY, SECOND } from '../support/fixtures.ts'

const START = Date.parse('2026-06-15T09:00:00Z')

/** A cached query that takes that long by the clock. */
function ask(tookMs: number) {
  const clock = createTestClock(START)
  let asked = 0
  const read = cached({ clock }, SECOND, async () => {
    asked += 1
    if (tookMs > 0) await new Promise<void>((resolve) => clock.after(tookMs, resolve))
    return asked
  })
  return { clock, read, asked: () => asked }
}

it('cached shares one query between callers for a second', async () => {
  const { clock, read } = ask(0)
  expect(await Promise.all([read(), read()])).toEqual(Array(2).fill({ at: START, value: 1 }))
  await clock.advance(SECOND - 1)
  expect(await read()).toEqual({ at: START, value: 1 })
  await clock.advance(1)
  expect(await read()).toEqual({ at: START + SECOND, value: 2 })
})

it('cached on demand waits for no query of another caller, and caches the result', async () => {
  const clock = createTestClock(START)
  let asked = 0
  const read = cached({ clock, onDemand: true }, SECOND, () => {
    asked += 1
    // The runtime cancels the query of the first caller.
    return asked === 1 ? new Promise<number>(() => {}) : Promise.resolve(asked)
  })
  void read()
  expect(await read()).toEqual({ at: START, value: 2 })
  expect(await read()).toEqual({ at: START, value: 2 })
})

it('cached on demand waits for a slow query again when its result has expired', async () => {
  const clock = createTestClock(START)
  let asked = 0
  const read = cached({ clock, onDemand: true }, SECOND, async () => {
    asked += 1
    await new Promise<void>((resolve) => clock.after(10 * SECOND, resolve))
    return asked
  })
  const [first] = [read(), await clock.advance(10 * SECOND)]
  expect((await first).value).toBe(1)
  await clock.advance(60 * SECOND)
  const [second] = [read(), await clock.advance(10 * SECOND)]
  expect((await second).value).toBe(2)
})

it('cached keeps a result 60 times as long as its query took, for at most a minute', async () => {
  for (const [tookMs, keptMs] of [
    [200, 12 * SECOND],
    [10 * SECOND, 60 * SECOND],
  ] as const) {
    const { clock, read, asked } = ask(tookMs)
    const first = read()
    await clock.advance(tookMs)
    expect(await first).toEqual({ at: START, value: 1 })
    await clock.advance(keptMs - 1)
    await read()
    expect(asked(), `${tookMs} ms`).toBe(1)
    await clock.advance(1)
    void read()
    expect(asked(), `${tookMs} ms`).toBe(2)
    await clock.advance(tookMs)
  }
})

it('cached returns the expired value while a slow query runs', async () => {
  const { clock, read } = ask(200)
  const first = read()
  await clock.advance(200)
  await first
  await clock.advance(12 * SECOND)
  expect(await read()).toEqual({ at: START, value: 1 })
  await clock.advance(200)
  expect(await read()).toEqual({ at: START + 12_200, value: 2 })
  await clock.advance(5 * 60 * SECOND)
  const late = read()
  await clock.advance(200)
  expect(await late, 'a value older than two minutes is not returned').toMatchObject({ value: 3 })
})

it('cached keeps no error, and a value for its TTL although the clock was set back', async () => {
  const clock = createTestClock(START)
  let fails = true
  const read = cached({ clock }, SECOND, async () => {
    if (fails) throw new Error('It sleeps.')
    return 'awake'
  })
  await expect(read()).rejects.toThrow('It sleeps.')
  fails = false
  expect(await read()).toEqual({ at: START, value: 'awake' })
  await clock.jumpTo(START - DAY)
  await clock.advance(SECOND)
  expect(await read()).toMatchObject({ at: START - DAY + SECOND })
})

describe('createTtlCache', () => {
  function counting() {
    const clock = createTestClock(START)
    let queries = 0
    const cache = createTtlCache(clock, 5 * SECOND, async () => {
      queries += 1
      return queries
    })
    return { clock, cache }
  }

  it('shares one query between callers for the TTL', async () => {
    const { clock, cache } = counting()
    expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1])
    await clock.advance(5 * SECOND - 1)
    expect(await cache.get()).toBe(1)
    await clock.advance(1)
    expect(await cache.get()).toBe(2)
  })

  it('queries again for a caller that asks for a fresher value', async () => {
    const { clock, cache } = counting()
    await cache.get()
    await clock.advance(SECOND)
    expect(await cache.get(2 * SECOND)).toBe(1)
    expect(await cache.get(SECOND)).toBe(2)
  })

  it('queries again after clear, and does not cache the query that was in flight', async () => {
    const { cache } = counting()
    const before = cache.get()
    cache.clear()
    expect(await cache.get()).toBe(2)
    expect(await before).toBe(1)
    expect(await cache.get()).toBe(2)
  })

  it('does not cache an error', async () => {
    const clock = createTestClock(START)
    const results = [Promise.reject(new Error('down')), Promise.resolve('up')]
    const cache = createTtlCache(clock, SECOND, () => results.shift()!)
    await expect(cache.get()).rejects.toThrow('down')
    expect(await cache.get()).toBe('up')
  })
})
