// The promise, held against histories that no one would dare to try: one per seed, lived under a virtual clock.
import { describe, expect, it } from 'vitest'
import { generate } from './generate/generate.ts'
import { describeHistory } from './record/describe.ts'
import { add, NOTHING, tally } from './record/tally.ts'
import { REGRESSIONS } from './regressions/regressions.ts'
import { type History, live } from './run.ts'
import { shrink } from './shrink.ts'

const SEEDS = 200

/** What a broken promise looks like in the report: the shortest history, in plain lines. */
async function toldShort({ scenario, violation }: History): Promise<string> {
  if (violation === null) return 'every promise held'
  const shortest = await live(await shrink(scenario, live))
  return [...describeHistory(shortest), `Replay: npm run simulate -- --seed ${scenario.seed}`].join('\n')
}

describe('any history', () => {
  it(`keeps every promise: seeds 1 to ${SEEDS}`, async () => {
    let sum = NOTHING
    for (let seed = 1; seed <= SEEDS; seed++) {
      const history = await live(generate(seed))
      expect(await toldShort(history)).toBe('every promise held')
      sum = add(sum, tally(history))
    }
    // A scenario that became tame would prove nothing.
    for (const [what, count] of Object.entries(sum)) expect(count, what).toBeGreaterThan(SEEDS / 4)
  }, 180_000)

  for (const { was, scenarios } of REGRESSIONS) {
    it(`keeps every promise where once ${was}`, async () => {
      for (const scenario of scenarios)
        expect(await toldShort(await live(scenario))).toBe('every promise held')
    })
  }

  it('is the same to the byte when it is lived again', async () => {
    for (const seed of [3, 14, 159]) {
      const first = await live(generate(seed))
      const second = await live(generate(seed))
      expect(JSON.stringify(second.trace)).toBe(JSON.stringify(first.trace))
    }
  })
})
