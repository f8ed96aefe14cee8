// An application that is killed in the middle of its transactions and handlers: its rows and Terce's are both there or neither,
// and each handler's effect is there exactly once. `npm run chaos -- --transactions 10000` does so at length.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { compare } from './support/comparison.ts'
import { runKills } from './support/kills.ts'

const OPTIONS = { seed: 17, processes: 1 }
let server: SharedPostgres
beforeAll(async () => {
  server = await sharedPostgres()
})

describe.each(['postgres', 'sqlite'] as const)(
  'an application on %s that is killed in its transactions',
  (database) => {
    it('has a person for every account, the events that they are owed, and each effect once', async () => {
      const run = await runKills({
        ...OPTIONS,
        // Two instances of the application, as behind a load balancer. SQLite has one writer.
        ...(database === 'postgres' ? { processes: 2, transactions: 120 } : { transactions: 8 }),
        server,
        database,
      })
      expect(run.unexpected).toEqual([])
      expect(run.tables.flatMap(compare)).toEqual([])
      expect(run.byProcess).toBeGreaterThan(0)
      const events = run.tables.flatMap((tables) => tables.events)
      expect(events.filter(({ status }) => status === 'COMPLETED').length).toBeGreaterThan(0)
    }, 120_000)
  },
)

describe('the comparison after the kills', () => {
  it('finds accounts without a person if the application writes its row in a transaction of its own', async () => {
    const options = { ...OPTIONS, server, database: 'postgres', mistake: 'two-transactions' } as const
    const { tables } = await runKills({ ...options, transactions: 40 })
    const rules = tables.flatMap(compare).map(({ rule }) => rule)
    expect(rules).toContain('every account has its person, and every person an account')
  }, 120_000)

  it('finds effects without a completed event if a handler writes them in a transaction of its own', async () => {
    const options = { ...OPTIONS, server, database: 'postgres', mistake: 'effect-apart' } as const
    const { tables, unexpected } = await runKills({ ...options, transactions: 20 })
    expect(unexpected).toEqual([])
    const rules = tables.flatMap(compare).map(({ rule }) => rule)
    expect(rules).toContain('every COMPLETED event has one effect, and no other event has any')
  }, 120_000)
})
