// What closing a day finds in a damaged database: one case for each reason of a line that is unexplained or surplus.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { linesOf } from '../../../src/app/ledger/stored-day.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation()
})
afterAll(() => installation.stop())

/** Closes the day. Returns its unexplained and surplus lines: column and reason, in order. */
async function closeDay(): Promise<string[]> {
  const { store, deps } = installation
  await closeDays(deps)
  const found: string[] = []
  for await (const { column, reason } of linesOf(store, DAY))
    if (column === 'unexplained' || column === 'surplus') found.push(`${column} ${reason}`)
  return found.sort()
}

it('finds nothing in a database that is not damaged', () =>
  installation.undone(async () => {
    expect(await closeDay()).toEqual([])
    const days = await installation.store.listLedgerDays({ limit: 10 })
    expect(days.map(({ day, unexplained, surplus }) => ({ day, unexplained, surplus }))).toEqual(
      ['12', '11', '10', '09', '08'].map((day) => ({ day: `2027-03-${day}`, unexplained: 0, surplus: 0 })),
    )
    expect(days[0]).toMatchObject({ owed: 12, delivered: 10, failed: 1, excused: 1, open: 0 })
  }))

const EVENT_COLUMNS = [
  ...['id', 'occasion_id', 'occurrence', 'status', 'target_at', 'offset_seconds', 'timezone', 'tz_version'],
  ...['wake_at', 'claimed_by', 'claimed_at', 'retry_count', 'version', 'plan_revision', 'executed_at'],
  ...['status_code', 'created_at', 'updated_at', 'replay_of', 'own_key', 'park_count', 'failure_code'],
]

/** Inserts a copy of an event, with other values in some columns, and its body. */
function copyOf(event: ':event' | ':next', others: Readonly<Record<string, string>>): string[] {
  const id = '01f00000-0000-7000-8000-000000000001'
  const values = EVENT_COLUMNS.map((name) => (name === 'id' ? `'${id}'` : (others[name] ?? name)))
  return [
    `INSERT INTO events (${EVENT_COLUMNS.join(', ')}) SELECT ${values.join(', ')} FROM events WHERE id = ${event}`,
    `INSERT INTO payloads (event_id, body) VALUES ('${id}', '{}')`,
  ]
}

const setEvent = (set: string) => [`UPDATE events SET ${set} WHERE id = :event`]
const setNext = (set: string) => [`UPDATE events SET ${set} WHERE id = :next`]
const WEEK_MS = 7 * 24 * 3_600_000
const FAR = Date.parse('2099-01-01')
const NEXT_WEEK = `target_at = target_at + ${WEEK_MS}, wake_at = wake_at + ${WEEK_MS}`

it.each<[damage: string, of: string, found: string, sql: readonly string[]]>([
  ['a delivered event is deleted', 'birthday', 'NO_EVENT', ['DELETE FROM events WHERE id = :event']],
  ['a successor is deleted', 'weekly', 'UNPLANNED', ['DELETE FROM events WHERE id = :next']],
  ['a planned reminder is deleted', 'toRemind', 'UNPLANNED', ['DELETE FROM events WHERE id = :next']],
  [
    'a successor is moved',
    'daily',
    'MISPLANNED',
    setNext('target_at = target_at + 1, wake_at = wake_at + 1'),
  ],
  ['a successor skips a week', 'weekly', 'SKIPPED', setNext(`occurrence = '2027-03-26', ${NEXT_WEEK}`)],
  [
    'there is a second planned event',
    'weekly',
    'TWO_PLANNED',
    copyOf(':next', { occurrence: `'2027-03-26'`, target_at: `target_at + ${WEEK_MS}` }),
  ],
  ['a planned event wakes decades later', 'birthday', 'ASLEEP', setNext(`wake_at = ${FAR}`)],
  [
    'a message is claimed for decades',
    'once',
    'STUCK',
    setEvent(`status = 'PROCESSING', wake_at = ${FAR}, lease_until = ${FAR}, executed_at = NULL`),
  ],
  ['a failure has no code', 'failed', 'NO_OUTCOME', setEvent('failure_code = NULL')],
  ['a failure has no claim', 'failed', 'NEVER_CLAIMED', setEvent('claimed_at = NULL, claimed_by = NULL')],
  ['a delivery has the status 500', 'birthday', 'NO_ACCEPTED_ATTEMPT', setEvent('status_code = 500')],
  [
    'a delivery is settled in the future',
    'birthday',
    'SETTLED_IN_FUTURE',
    setEvent(`executed_at = executed_at + ${WEEK_MS}`),
  ],
  ...['OCCASION_PAUSED', 'TASK_COMPLETED', 'CUT_OFF', 'MISSED_WINDOW'].map(
    (code): [string, string, string, string[]] => [
      `a failure has the code ${code} without a record of it`,
      'failed',
      `${code}_NOT_RECORDED`,
      setEvent(`status_code = NULL, failure_code = '${code}'`),
    ],
  ),
  [
    'the record of a pause is deleted',
    'paused',
    'PAUSE_NOT_RECORDED',
    ['DELETE FROM journal WHERE occasion_id = :occasion'],
  ],
  ['an occasion is deleted', 'weekly', 'VANISHED', ['DELETE FROM occasions WHERE id = :occasion']],
  [
    'the account begins after the last person',
    'birthday',
    'PEOPLE_MISSING',
    [
      `INSERT INTO ledger_days (day, started_at, cursor)
        VALUES ('2027-03-12', 0, 'people ffffffff-ffff-ffff-ffff-ffffffffffff')`,
    ],
  ],
  [
    'an entry of the journal cannot be read',
    'moved',
    'UNREADABLE',
    [`UPDATE journal SET details = '{"x' WHERE user_id = :user`],
  ],
])('finds that %s, as unexplained', (_, of, found, sql) =>
  installation.undone(async () => {
    installation.alter(of, sql)
    expect(await closeDay()).toEqual([`unexplained ${found}`])
  }),
)

it.each<[damage: string, of: string, found: readonly string[], sql: readonly string[]]>([
  [
    'is a duplicate of another one',
    'birthday',
    ['surplus NOT_OWED'],
    copyOf(':event', { occurrence: `'2026'` }),
  ],
  [
    'was delivered again by a replay',
    'replayed',
    ['surplus SENT_TWICE'],
    copyOf(':event', {
      ...{ occurrence: `'2027~2'`, status: `'COMPLETED'`, replay_of: 'id' },
      ...{ failure_code: 'NULL', status_code: '200' },
    }),
  ],
  [
    'was sent by a timezone that its person has left without a record',
    'moved',
    ['surplus NOT_OWED'],
    ['DELETE FROM journal WHERE user_id = :user'],
  ],
  [
    'was sent by the old rule of an occasion that was changed without a record',
    'weekly',
    ['surplus NOT_OWED', 'unexplained MISPLANNED'],
    [`UPDATE occasions SET local_time = '10:00' WHERE id = :occasion`],
  ],
])('finds a delivered message that %s, as surplus', (_, of, found, sql) =>
  installation.undone(async () => {
    installation.alter(of, sql)
    expect(await closeDay()).toEqual(found)
  }),
)
