// What is dear to ask is asked seldom, and says how old it is.
import { expect, it } from 'vitest'
import { remember } from '../../src/app/cached.ts'
import { createTestClock, SECOND } from '../support/fixtures.ts'

const START = Date.parse('2026-06-15T09:00:00Z')

/** A question that takes that long by the clock; how often it was asked. */
function ask(tookMs: number) {
  const clock = createTestClock(START)
  let asked = 0
  const read = remember(clock, SECOND, async () => {
    asked += 1
    if (tookMs > 0) await new Promise<void>((resolve) => clock.after(tookMs, resolve))
    return asked
  })
  return { clock, read, asked: () => asked }
}

it('is asked once by many, and again after a second', async () => {
  const { clock, read } = ask(0)
  expect(await Promise.all([read(), read()])).toEqual(Array(2).fill({ at: START, answer: 1 }))
  await clock.advance(SECOND - 1)
  expect(await read()).toEqual({ at: START, answer: 1 })
  await clock.advance(1)
  expect(await read()).toEqual({ at: START + SECOND, answer: 2 })
})

it('is kept sixty times as long as it took, and no longer than a minute', async () => {
  for (const [tookMs, keptMs] of [
    [200, 12 * SECOND],
    [10 * SECOND, 60 * SECOND],
  ] as const) {
    const { clock, read, asked } = ask(tookMs)
    const first = read()
    await clock.advance(tookMs)
    expect(await first).toEqual({ at: START, answer: 1 })
    await clock.advance(keptMs - 1)
    await read()
    expect(asked(), `${tookMs} ms`).toBe(1)
    await clock.advance(1)
    void read()
    expect(asked(), `${tookMs} ms`).toBe(2)
    await clock.advance(tookMs)
  }
})

it('makes nobody wait for what takes long: they get the old answer while the new one is on its way', async () => {
  const { clock, read } = ask(200)
  const first = read()
  await clock.advance(200)
  await first
  await clock.advance(12 * SECOND)
  expect(await read()).toEqual({ at: START, answer: 1 })
  await clock.advance(200)
  expect(await read()).toEqual({ at: START + 12_200, answer: 2 })
  await clock.advance(5 * 60 * SECOND)
  const late = read()
  await clock.advance(200)
  expect(await late, 'but not one of long ago').toMatchObject({ answer: 3 })
})

it('does not keep a failure, nor an answer from after the clock was set back', async () => {
  const clock = createTestClock(START)
  let fails = true
  const read = remember(clock, SECOND, async () => {
    if (fails) throw new Error('It sleeps.')
    return 'awake'
  })
  await expect(read()).rejects.toThrow('It sleeps.')
  fails = false
  expect(await read()).toEqual({ at: START, answer: 'awake' })
  await clock.jumpTo(START - SECOND)
  expect(await read()).toMatchObject({ at: START - SECOND })
})
