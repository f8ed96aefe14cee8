// The process of an application with Terce in it. Its clients sign up, change, delete and add tasks, each together with rows of
// its own in one transaction; its handlers write a row for each event. Killed and started again by kills.ts.
// node application.ts <plan as JSON>
import { randomUUID } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Terce } from '../../../src/library/library.ts'
import { createTerce } from '../../../src/library/terce.ts'
import { seededDice } from '../../support/fixtures.ts'
import { type OwnDatabase, onPostgres, onSqlite, type Transaction } from './own-tables.ts'
import { type ApplicationPlan, type Mark, REPORT_EVERY, type Report } from './plan.ts'

const SETTINGS = {
  LEASE_MS: '1000',
  CONCURRENCY: '16',
  RETRY: '50ms,50ms',
  DELIVER_AT: '00:00',
  LOG_LEVEL: 'fatal',
}
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland']
/** Connections beyond the one that each client needs: handlers, claims, settlements. */
const MORE_CONNECTIONS = 14

const plan = JSON.parse(process.argv[2]!) as ApplicationPlan
const dice = seededDice(plan.seed)
const journal = openSync(plan.journal, 'a')
let transactions = 0

function report(what: Report): void {
  process.send!(what)
}

/** Begins a transaction in the journal, which is written at once, so that it survives the process. */
function begun(): { mark(what: Mark): void } {
  const number = ++transactions
  const mark = (what: Mark) => void writeSync(journal, `${what}${number}\n`)
  mark('B')
  if (number % REPORT_EVERY === 0) report({ begun: number })
  return { mark }
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(dice() * items.length)]!
/** Mostly long, so that most transactions are open when the process is killed. */
const pause = () => sleep(dice() < 0.3 ? 0 : 120 * dice())

/** Today there, so that the message is due at once, or some other day. */
function birthDate(timezone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(Date.now())
  return dice() < 0.6 ? `1992${today.slice(4)}` : `1991-0${1 + Math.floor(8 * dice())}-17`
}

class ChangedItsMind extends Error {}

type Work = (own: OwnDatabase, terce: Terce<Transaction>, tx: Transaction) => Promise<void>

const signUp: Work = async (own, terce, tx) => {
  const externalId = randomUUID()
  const timezone = pick(ZONES)
  const dateOfBirth = birthDate(timezone)
  const lastName = `Lovelace ${Math.floor(1e6 * dice())}`
  const insert = 'INSERT INTO accounts VALUES (?, NULL, ?, ?, ?)'
  await own.run(tx, insert, [externalId, lastName, dateOfBirth, timezone])
  await pause()
  if (plan.mistake === 'two-transactions')
    await own.run(tx, 'COMMIT', []).then(() => own.run(tx, 'BEGIN', []))
  const person = { firstName: 'Ada', lastName, dateOfBirth, timezone, externalId, sendTodayNow: true }
  const { user } = await terce.users.create(person, { tx })
  await pause()
  await own.run(tx, 'UPDATE accounts SET user_id = ? WHERE external_id = ?', [user.id, externalId])
}

const change: Work = async (own, terce, tx) => {
  const account = await own.lockAccount(tx)
  if (account === null) return
  const lastName = `Byron ${Math.floor(1e6 * dice())}`
  const timezone = pick(ZONES)
  await terce.users.change(account.user_id, { lastName, timezone }, { tx })
  await pause()
  const update = 'UPDATE accounts SET last_name = ?, timezone = ? WHERE external_id = ?'
  await own.run(tx, update, [lastName, timezone, account.external_id])
}

const remove: Work = async (own, terce, tx) => {
  const account = await own.lockAccount(tx)
  if (account === null) return
  await own.run(tx, 'DELETE FROM accounts WHERE external_id = ?', [account.external_id])
  await pause()
  await terce.users.delete(account.user_id, { tx })
}

const addTask: Work = async (own, terce, tx) => {
  const account = await own.lockAccount(tx)
  if (account === null) return
  const dueAt = new Date(Date.now() + (dice() < 0.5 ? 3_600_000 : 30 * 86_400_000)).toISOString()
  const task = { userId: account.user_id, title: 'Renew the passport', dueAt, remindBefore: 'PT2H' }
  const { id } = await terce.tasks.create(task, { tx })
  await pause()
  await own.run(tx, 'INSERT INTO todos VALUES (?, ?)', [id, account.external_id])
}

const WORK = [signUp, signUp, signUp, signUp, change, change, remove, addTask, addTask]

async function transact(own: OwnDatabase, terce: Terce<Transaction>): Promise<void> {
  const tx = await own.begin()
  const { mark } = begun()
  try {
    await pick(WORK)(own, terce, tx)
    await pause()
    if (dice() < 0.1) throw new ChangedItsMind()
    await own.commit(tx)
    mark('E')
  } catch (error) {
    await own.rollback(tx)
    mark(isBroken(error) ? 'X' : 'E')
    const isExpected = error instanceof ChangedItsMind || isBroken(error) || isRace(error)
    if (!isExpected) report({ unexpected: String((error as Error).stack) })
  }
}

/** The backend was terminated, which the first statement after it or a running one reports. */
function isBroken(error: unknown): boolean {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown }
  if (
    code === '57P01' ||
    code === 'DATABASE_UNAVAILABLE' ||
    /terminat|not queryable|Connection ended/i.test(message)
  )
    return true
  return cause !== undefined && isBroken(cause)
}

/** Two clients met at one person: the application would try again. */
function isRace(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '40P01' || code === 'TRANSACTION_CONFLICT' || code === 'USER_NOT_FOUND'
}

async function client(own: OwnDatabase, terce: Terce<Transaction>): Promise<never> {
  for (;;)
    await transact(own, terce).catch(async (error) => {
      if (!isBroken(error)) report({ unexpected: String(error.stack) })
      await sleep(20)
    })
}

function handle(own: OwnDatabase, terce: Terce<Transaction>): void {
  terce.on('*', async ({ eventId, externalId }, { tx, attempt }) => {
    const { mark } = begun()
    try {
      const where = plan.mistake === 'effect-apart' ? await own.begin() : tx
      await own.run(where, 'INSERT INTO effects VALUES (?, ?)', [eventId, externalId])
      if (where !== tx) await own.commit(where)
      await pause()
      // A planted mistake must show in a run of seconds.
      const fails = dice() < 0.2 || (where !== tx && attempt === 1)
      if (fails) throw new ChangedItsMind()
      mark('E')
    } catch (error) {
      mark(isBroken(error) ? 'X' : 'E')
      throw error
    }
  })
}

/** Its first transactions may lose their connection too. */
async function startPatiently(terce: Terce<Transaction>): Promise<void> {
  for (;;) {
    try {
      return await terce.start()
    } catch (error) {
      if (!isBroken(error)) throw error
    }
  }
}

for (const database of plan.databases) {
  const isPostgres = database.startsWith('postgres:')
  const max = plan.clients + MORE_CONNECTIONS
  const pool = isPostgres ? new pg.Pool({ connectionString: database, max }) : null
  pool?.on('error', () => {})
  // A backend that is terminated while it accepts a connection.
  pool?.on('connect', (client) => client.on('error', () => {}))
  const own = pool === null ? onSqlite(database) : onPostgres(pool)
  const terce = createTerce<Transaction>({ database: pool ?? database, settings: SETTINGS })
  handle(own, terce)
  await startPatiently(terce)
  for (let i = 0; i < plan.clients; i++) void client(own, terce)
}
report({ begun: 0 })
