// A fleet that is rolled to the next release, back and forward again while events are due, checked by every rule.
// Then a mistake is planted, and the rules find it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RELEASE } from '../../src/stores/migrations/release.ts'
import { query } from '../stores/postgres/support/audit.ts'
import { NEXT_RELEASE } from '../support/next-release.ts'
import { type Chaos, startChaos } from './support/chaos-run.ts'
import { check } from './support/check-rules.ts'
import { type Completed, completeRun, endRun } from './support/complete-run.ts'
import { describe as describeSummary } from './support/summary.ts'

const OPTIONS = { seed: 17, faultsMs: 27_000, workers: 4, people: 250, fsync: false, rollouts: 3 }
const SETTLED_WITHIN_MS = 60_000

let chaos: Chaos
let completed: Completed

beforeAll(async () => {
  chaos = await startChaos(OPTIONS)
  completed = await completeRun(chaos, {
    seed: OPTIONS.seed,
    settledWithinMs: SETTLED_WITHIN_MS,
  })
}, 600_000)

afterAll(() => endRun(chaos, completed), 60_000)

/** How many processes of a release started. */
function starts(release: string): number {
  const logs = readdirSync(chaos.folder).filter((name) => name.endsWith('.log'))
  const text = logs.map((name) => readFileSync(join(chaos.folder, name), 'utf8')).join('\n')
  return text.split(`Terce ${release}`).length - 1
}

describe('a fleet of this release and the next on one PostgreSQL, under faults', () => {
  it('breaks no rule', () => {
    const { summary } = completed
    expect(summary.broken, [...describeSummary(summary), `Evidence: ${chaos.folder}`].join('\n')).toEqual([])
  })

  it('was rolled forward and back while events were due, with processes of both releases', () => {
    expect(completed.summary.rollouts).toBe(3)
    expect(starts(NEXT_RELEASE)).toBeGreaterThanOrEqual(4)
    expect(starts(RELEASE)).toBeGreaterThanOrEqual(4)
    // How many people are created meanwhile depends on the machine: 223 on two idle cores, 38 beside other tests.
    expect(completed.evidence.tables.settled_events.length).toBeGreaterThan(10)
  })

  it('breaks a rule if a migration removes a column that the releases use', async () => {
    await query(chaos.database(), 'ALTER TABLE terce.payloads RENAME COLUMN body TO text')
    await chaos.rollOut()
    await chaos.deliverMore(20, 15_000)
    expect(check(await chaos.collect()).map(({ rule }) => rule)).toContain('nothing stuck')
  }, 600_000)
})
