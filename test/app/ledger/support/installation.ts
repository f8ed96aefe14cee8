// A small installation whose engine has delivered messages for five days. Its ledger has closed four of them; 2027-03-12 has ended
// everywhere and is not closed yet.
import type { DatabaseSync } from 'node:sqlite'
import { closeDays } from '../../../../src/app/ledger/close-days.ts'
import type { LedgerDeps } from '../../../../src/app/ledger/ledger-deps.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { createTestTerce, type InMemoryTerce } from '../../../../src/library/testing/testing.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { namingFor } from '../../../../src/stores/sqlite/names.ts'
import { storeInSqliteTransaction } from '../../../../src/stores/sqlite/sqlite-store.ts'

/** The day that a test closes. */
export const DAY = '2027-03-12'
const PREFIX = 'terce_'
const BIRTHDAY = '1990-03-12'

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** Closes days of an installation by its clock. */
export function closingOf({ sqlite, clock }: InMemoryTerce): LedgerDeps & { store: Store } {
  return {
    store: storeInSqliteTransaction(sqlite as unknown as DatabaseSync, PREFIX),
    clock: { now: clock.now, after: () => ({ cancel() {} }) },
    planner: { ids: () => '', table: tzdb },
    telemetry() {},
  }
}

export async function openInstallation() {
  const terce = await createTestTerce({ now: '2027-03-08T00:00:00Z' })
  const named = namingFor(PREFIX)
  const db = terce.sqlite
  // Altered rows may have values that the schema forbids, as in a damaged file.
  db.exec('PRAGMA ignore_check_constraints = ON')
  const deps = closingOf(terce)
  const { store } = deps
  await store.recordLimits({ '*': 3 * 24 * 60 * 60 * 1000 }, terce.clock.now())
  const occasions = await live(terce, () => closeDays(deps))

  /** The ids of a person's rows, by their names in the statements of `alter`. */
  function valuesFor(externalId: string): Record<string, string> {
    const occasion = occasions.get(externalId)!
    const get = (sql: string, ...values: string[]) => db.prepare(named(sql)).get(...values)?.id ?? ''
    return {
      ':user': get('SELECT user_id AS id FROM occasions WHERE id = ?', occasion),
      ':occasion': occasion,
      ':event': get(
        `SELECT id FROM events WHERE occasion_id = ? AND replay_of IS NULL AND status <> 'PENDING'
          AND date(target_at / 1000 + offset_seconds, 'unixepoch') = ?`,
        occasion,
        DAY,
      ),
      ':next': get(`SELECT id FROM events WHERE occasion_id = ? AND status = 'PENDING'`, occasion),
    }
  }

  return {
    store,
    deps,
    stop: () => terce.stop(),
    /** Runs statements that neither the engine nor the store knows of. Throws if one of them changes no row. */
    alter(of: string, statements: readonly string[]): void {
      const values = valuesFor(of)
      for (const text of statements) {
        const sql = named(text.replaceAll(/:(user|occasion|event|next)\b/g, (name) => `'${values[name]}'`))
        const { changes } = db.prepare(sql).run() as { changes: number }
        if (changes === 0) throw new Error(`No row was changed: ${sql}`)
      }
    },
    /** Runs the work in a transaction and rolls it back, so that the next case begins with the rows of the engine. */
    async undone<T>(work: () => Promise<T>): Promise<T> {
      db.exec('BEGIN')
      try {
        return await work()
      } finally {
        db.exec('ROLLBACK')
      }
    },
  }
}

/** Returns the occasion of each person by their external id. */
async function live(terce: InMemoryTerce, close: () => Promise<unknown>): Promise<Map<string, string>> {
  const { clock } = terce
  const occasions = new Map<string, string>()
  const users = new Map<string, string>()

  async function person(externalId: string, timezone: string, dateOfBirth = '1990-07-01') {
    const names = { firstName: externalId, lastName: 'Person' }
    const { user } = await terce.users.create({ externalId, ...names, dateOfBirth, timezone })
    const { items } = await terce.occasions.ofUser(user.id)
    users.set(externalId, user.id)
    occasions.set(externalId, items[0]!.id)
  }
  async function occasion(of: string, rule: { repeats: string; date: string; until?: string }) {
    const fields = { type: 'CHECK_IN', template: 'How are you?', ...rule }
    const { id } = await terce.occasions.create(users.get(of)!, fields)
    occasions.set(of, id)
  }
  async function task(of: string, dueAt: string) {
    const { id } = await terce.tasks.create({ userId: users.get(of)!, title: 'A bill', dueAt })
    occasions.set(of, id)
  }

  const rejected = new Set(['failed', 'replayed'])
  terce.receive(({ externalId }) => (rejected.has(externalId!) ? 400 : undefined))
  await close()
  await person('birthday', 'America/New_York', BIRTHDAY)
  await person('moved', 'Europe/Berlin', BIRTHDAY)
  await person('failed', 'Europe/London', BIRTHDAY)
  await person('replayed', 'Europe/London', BIRTHDAY)
  await person('weekly', 'Asia/Shanghai')
  await occasion('weekly', { repeats: 'FREQ=WEEKLY', date: DAY })
  await person('daily', 'Pacific/Kiritimati')
  await occasion('daily', { repeats: 'FREQ=DAILY', date: '2027-03-09' })
  await person('once', 'Asia/Kolkata')
  await occasion('once', { repeats: 'ONCE', date: DAY })
  await person('pausedLater', 'Africa/Nairobi')
  await occasion('pausedLater', { repeats: 'FREQ=DAILY', date: '2027-03-09' })
  await person('paused', 'Africa/Nairobi')
  await occasion('paused', { repeats: 'FREQ=DAILY', date: '2027-03-09' })
  await person('ending', 'America/Sao_Paulo')
  await occasion('ending', { repeats: 'FREQ=DAILY', date: '2027-03-09', until: DAY })
  await person('deleted', 'Europe/Paris', BIRTHDAY)
  await person('reminded', 'Europe/Berlin')
  await task('reminded', '2027-03-13T10:00:00Z')
  await person('toRemind', 'Europe/Berlin')
  await task('toRemind', '2027-03-20T10:00:00Z')
  await person('completed', 'Europe/Berlin')
  await task('completed', '2027-03-13T10:00:00Z')

  for (const day of ['09', '10', '11', '12']) {
    await clock.advanceTo(`2027-03-${day}T13:00:00Z`)
    await close()
    if (day !== '10') continue
    await terce.occasions.pause(occasions.get('paused')!)
    await terce.tasks.complete(occasions.get('completed')!)
  }
  await clock.advanceTo('2027-03-12T15:00:00Z')
  await terce.users.change(users.get('moved')!, { timezone: 'America/Los_Angeles' })
  await terce.occasions.pause(occasions.get('pausedLater')!)
  await terce.users.delete(users.get('deleted')!)
  rejected.clear()
  const failed = terce.events.ofUser(users.get('replayed')!, { status: 'FAILED' })
  for await (const { id } of failed) await terce.events.replay(id)
  await clock.advanceTo('2027-03-13T13:00:00Z')
  return occasions
}
