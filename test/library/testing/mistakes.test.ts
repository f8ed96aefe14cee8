// The comparison with terce/core finds clocks with a planted mistake.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { VirtualClock } from '../../../src/library/testing/virtual-clock.ts'
import { greetingsOf, randomPeople, sorted } from './support/people.ts'

type CreateClock = (start: number, rest: () => Promise<void>) => VirtualClock

const CLOCK = '../../../src/library/testing/virtual-clock.ts'
const planted = { wrap: (create: CreateClock): CreateClock => create }
let createTestTerce: typeof import('../../../src/library/testing/testing.ts').createTestTerce

// Other files of this process get the real clock: they load their modules again.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(CLOCK, async (original) => {
    const real = await original<typeof import('../../../src/library/testing/virtual-clock.ts')>()
    return {
      ...real,
      createVirtualClock: (start: number, rest: () => Promise<void>) =>
        planted.wrap(real.createVirtualClock)(start, rest),
    }
  })
  ;({ createTestTerce } = await import('../../../src/library/testing/testing.ts'))
})
afterAll(() => {
  vi.doUnmock(CLOCK)
  vi.resetModules()
})

const NOW = Date.parse('2027-02-27T12:00:00Z')
const END = NOW + 365 * 86_400_000
const people = randomPeople(60, 11)

async function greetings(wrap: typeof planted.wrap) {
  planted.wrap = wrap
  await using terce = await createTestTerce({ now: NOW })
  // A handler with real work, which a clock that does not wait would overtake.
  terce.on('BIRTHDAY', () => new Promise((resolve) => setTimeout(resolve, 1)))
  await terce.users.createMany(people)
  await terce.clock.advanceTo(END)
  return { found: sorted(terce.deliveries as never), inOrder: terce.deliveries.map(({ at }) => at) }
}

/** The engine sleeps with three timers of hours or more: for its next event, for the reload before it, and for the longest sleep. */
function isOfOneSleep(ms: number, count: () => number): boolean {
  return ms > 3_600_000 && Math.ceil(count() / 3) === 4
}

const expected = greetingsOf(people, NOW, END)

it('a correct clock gives the greetings of terce/core', async () => {
  const { found, inOrder } = await greetings((create) => create)
  expect(found).toEqual(expected)
  expect(inOrder).toEqual(expected.map(({ at }) => at))
})

it.each<[string, typeof planted.wrap]>([
  [
    'skips an instant',
    (create) => (start, rest) => {
      const clock = create(start, rest)
      let timers = 0
      const after: VirtualClock['after'] = (ms, callback) =>
        isOfOneSleep(ms, () => ++timers) ? { cancel() {} } : clock.after(ms, callback)
      return { ...clock, after }
    },
  ],
  [
    'is a minute late once',
    (create) => (start, rest) => {
      const clock = create(start, rest)
      let timers = 0
      const after: VirtualClock['after'] = (ms, callback) =>
        clock.after(isOfOneSleep(ms, () => ++timers) ? ms + 60_000 : ms, callback)
      return { ...clock, after }
    },
  ],
  ['does not wait for handlers', (create) => (start) => create(start, async () => {})],
])('finds a clock that %s', async (_, wrap) => {
  const { found } = await greetings(wrap)
  expect(found).not.toEqual(expected)
})
