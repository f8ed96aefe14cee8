// The journal of PostgreSQL where another session changes a row between the statements of one transaction.
import pg from 'pg'
import { expect, it } from 'vitest'
import { ACCOUNTED, LAST_STAGE } from '../../../../src/domain/ledger/day.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { makePerson, T0 } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()

async function countWaiting(url: string): Promise<number> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await query(url, waiting)).length
}

it('has the deletion that was in flight when an account came to its last stage', async () => {
  const url = stage.database()
  const store = await openPostgresStore(url)
  const other = new pg.Client(url)
  await other.connect()
  try {
    const day = '2020-06-01'
    const page = { day, people: 0, lines: [], newlySeen: [] }
    const person = makePerson()
    const occasionId = person.occasions[0]!.id
    await store.createUsers([person])
    await store.openLedgerDay({ day, startedAt: T0 })
    await store.saveAccountPage({ ...page, from: null, to: 'vanished', newlySeen: [occasionId] })
    // Stops the erasure after its statements on the days and the lines.
    await other.query('BEGIN; SELECT FROM terce.ledger_occasions FOR UPDATE')
    const erasure = store.deleteUser(person.user.id, T0)
    await until('the erasure waits', () => countWaiting(url), Boolean)
    let isRead = false
    const finish = async () => {
      const from = `${LAST_STAGE} 0`
      await store.saveAccountPage({ ...page, from: 'vanished', to: from })
      const { entries } = await store.readJournal({ kinds: ['person-deleted'], from: 0 })
      isRead = true
      return { entries, isSaved: await store.saveAccountPage({ ...page, from, to: ACCOUNTED }) }
    }
    const finished = finish()
    await until(
      'the account waits too, or has read the journal',
      async () => isRead || (await countWaiting(url)) === 2,
      Boolean,
    )
    await other.query('COMMIT')
    expect(await erasure).toBe(true)
    expect(await finished).toMatchObject({ entries: [{ kind: 'person-deleted' }], isSaved: true })
  } finally {
    await other.end()
    await store.close()
  }
})
