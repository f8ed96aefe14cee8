// The promise, held against histories that no one would dare to try: one per seed, lived under a virtual clock.
import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { describeHistory } from './describe.ts'
import { generate } from './generate.ts'
import { INVARIANTS } from './invariants.ts'
import { REGRESSIONS } from './regressions.ts'
import { type History, live } from './run.ts'
import { shrink } from './shrink.ts'
import { add, NOTHING, tally } from './tally.ts'
import type { Bug } from './world.ts'

const SEEDS = 200
/** A mistake must show within so many histories. */
const SEEDS_PER_BUG = 60

/** What a broken promise looks like in the report: the shortest history, in plain lines. */
async function toldShort({ scenario, violation }: History): Promise<string> {
  if (violation === null) return 'every promise held'
  const shortest = await live(await shrink(scenario, live))
  return [...describeHistory(shortest), `Replay: npm run simulate -- --seed ${scenario.seed}`].join('\n')
}

async function findBug(bug: Bug, rules = INVARIANTS): Promise<History | null> {
  for (let seed = 1; seed <= SEEDS_PER_BUG; seed++) {
    const history = await live(generate(seed), bug, rules)
    if (history.violation !== null) return history
  }
  return null
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

describe('a mistake built in on purpose', () => {
  for (const bug of BUGS) {
    it(`is found: ${bug.words}`, async () => {
      const history = await findBug(bug)
      expect(bug.breaks).toContain(history?.violation?.rule)
    })
  }

  for (const rule of INVARIANTS) {
    it(`can break this, looked at alone: ${rule.words}`, async () => {
      const bug = BUGS.find(({ breaks }) => breaks.includes(rule.name))
      expect((await findBug(bug!, [rule]))?.violation?.rule).toBe(rule.name)
    })
  }

  for (const name of ['refusal-retried', 'bury-only-acks']) {
    it(`is told in a history far shorter than the one it was found in: ${name}`, async () => {
      const bug = BUGS.find((one) => one.name === name)!
      const found = (await findBug(bug))!
      const shortest = await shrink(found.scenario, (candidate) => live(candidate, bug))
      const again = await live(shortest, bug)
      expect(again.violation?.rule).toBe(found.violation!.rule)
      expect(new Set(shortest.edits.map(({ person }) => person)).size).toBe(1)
      expect(shortest.faults.length).toBeLessThanOrEqual(3)
    })
  }
})
