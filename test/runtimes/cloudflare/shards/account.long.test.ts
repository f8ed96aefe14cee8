// Days of the ledger over shards in workerd: each shard accounts for its people, and the cron of the Worker closes the day.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkLedger } from '../../../../src/app/ledger/check-ledger.ts'
import { readLines } from '../../../../src/app/ledger/read-ledger.ts'
import { dayName } from '../../../../src/domain/ledger/day.ts'
import type { LedgerDay, NewPerson, Store } from '../../../../src/ports/store.ts'
import { webCryptoSigner as signer } from '../../../../src/runtimes/config/signer.ts'
import { openShardedStore } from '../../../../src/stores/sharded/sharded-store.ts'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import { HOUR, makePeople } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { type Sink, startSink } from '../../support/sink.ts'

const FROM = 4
const TO = 8
/** The last day that has ended everywhere. */
const DAY = dayName(Date.now() - 36 * HOUR)
const DUE = Date.parse(DAY) + 9 * HOUR

let sink: Sink
let shards: Shards
let store: Store
let people: NewPerson[]

const settingsWith = (count: number) => ({
  WEBHOOK_URL: sink.url,
  WEBHOOK_SECRET: SECRET,
  ALLOW_PRIVATE_TARGETS: 'true',
  SHARDS: String(count),
  LOG_LEVEL: 'error',
})

beforeAll(async () => {
  sink = await startSink()
})
afterAll(() => sink.close())

/** The store of a caller that divides people by this number of shards. */
function storeOver(count: number): Store {
  return openShardedStore({
    shards: { count: () => count, store: (index) => shards.storeOf(index, count) },
    registry: shards.storeOf('registry'),
  })
}

/** Everybody has a birthday on the day, and the message was delivered since. */
beforeEach(async () => {
  shards = await startShards(settingsWith(FROM))
  store = storeOver(FROM)
  people = makePeople(24, () => ({ dateOfBirth: `1992-${DAY.slice(5)}`, targetAt: DUE }))
  expect(await shards.ask<number>('registry', 'shardCount')).toBe(FROM)
  await store.openLedgerDay({ day: DAY, startedAt: DUE })
  await store.createUsers(people)
  await until(
    'all messages are delivered',
    () => countIn('events', `status = 'COMPLETED'`),
    (n) => n === 24,
  )
  return () => shards.stop()
})

async function countIn(table: string, where: string, count = FROM): Promise<number> {
  let sum = 0
  for (let index = 0; index < count; index++) {
    const sql = `SELECT count(*) FROM ${table} WHERE ${where}`
    sum += (await shards.ask<number[][]>(index, 'read', sql))[0]![0]!
  }
  return sum
}

async function readDay(): Promise<LedgerDay> {
  return (await shards.storeOf('registry').listLedgerDays({ from: DAY, to: DAY, limit: 1 }))[0]!
}

const findings = () => checkLedger({ store, signer }, 10)

async function occasionsInLedger(): Promise<string[]> {
  const { items } = await store.listLedgerLines({ day: DAY, limit: 1_000, cursor: null })
  return items.map(({ occasionId }) => occasionId!).sort()
}

const occasions = () => people.map(({ occasions: [birthday] }) => birthday!.id).sort()

/** A run of the cron in which this shard is stopped when it writes its lines. */
async function runWithout(index: number): Promise<void> {
  await shards.ask(index, 'killAfter', 1, { only: 'INSERT INTO ledger_lines' })
  await shards.cron()
  await shards.ask(index, 'killAfter', null).catch(() => {})
}

describe('a day over shards', () => {
  it('is closed by a run of the cron, with everybody in it, and its seal is valid', async () => {
    await shards.cron()
    expect(await readDay()).toMatchObject({ people: 24, expected: 24, delivered: 24, unexplained: 0 })
    expect((await readDay()).closedAt).not.toBeNull()
    expect(await occasionsInLedger()).toEqual(occasions())
    expect(await findings()).toEqual([])
  })

  it('shows the deletion that explains a line', async () => {
    const [gone] = people
    await store.deleteUser(gone!.user.id, Date.now())
    await shards.cron()
    const { items } = await readLines({ store }, { day: DAY, limit: 100, cursor: null })
    const erased = items.filter(({ reason }) => reason === 'ERASED')
    expect(erased).toMatchObject([{ occasionId: null, evidence: { entry: { kind: 'person-deleted' } } }])
    expect(await findings()).toEqual([])
  })

  it('is closed by the next run after a shard was stopped in its account', async () => {
    await runWithout(2)
    expect(await readDay()).toMatchObject({ closedAt: null, cursor: `shards ${FROM}` })
    await shards.cron()
    expect(await readDay()).toMatchObject({ people: 24, delivered: 24 })
    expect(await findings()).toEqual([])
  })

  it('is continued by the alarm of a shard whose account failed', async () => {
    await shards.ask(2, 'read', 'ALTER TABLE ledger_occasions RENAME TO hidden')
    await shards.cron()
    const isDone = `day = '${DAY}' AND cursor = 'done'`
    expect(await countIn('ledger_days', isDone)).toBe(FROM - 1)
    await shards.ask(2, 'read', 'ALTER TABLE hidden RENAME TO ledger_occasions')
    await shards.ask(2, 'moveAlarm', Date.now())
    await until(
      'every shard has its account',
      () => countIn('ledger_days', isDone),
      (done) => done === FROM,
    )
  })

  it('keeps its root when somebody is erased before the other shards have ended', async () => {
    await runWithout(2)
    const inShard0 = people.filter(({ user }) => Number.parseInt(user.id.slice(-4), 16) % FROM === 0)
    await store.deleteUser(inShard0[0]!.user.id, Date.now())
    await shards.cron()
    expect(await readDay()).toMatchObject({ expected: 24, delivered: 24 })
    expect(await findings()).toEqual([])
  })

  it('is accounted for again when the number of shards was doubled meanwhile', async () => {
    await runWithout(2)
    await shards.deploy(settingsWith(TO))
    const count = () => shards.ask<number>('registry', 'shardCount')
    await until('the number of shards is doubled', count, (found) => found === TO)
    store = storeOver(TO)
    await until(
      'the day is closed',
      async () => {
        await shards.cron()
        return readDay()
      },
      ({ closedAt }) => closedAt !== null,
    )
    expect(await readDay()).toMatchObject({ people: 24, expected: 24, delivered: 24, unexplained: 0 })
    expect(await occasionsInLedger()).toEqual(occasions())
    expect(await findings()).toEqual([])
  })

  it('that is old has no lines after a shard was pinged with a later instant; those of a newer day stay', async () => {
    await shards.cron()
    const lines = await countIn('ledger_lines', 'true')
    const old = `INSERT INTO ledger_lines (day, commitment, place) VALUES ('2026-01-01', 'c', 'delivered')`
    await shards.ask(0, 'read', old)
    const before = Date.now() - 30 * 24 * HOUR
    await shards.ask(0, 'ping', await shards.ask('registry', 'ping'), before)
    expect(await countIn('ledger_lines', `day = '2026-01-01'`)).toBe(0)
    expect(await countIn('ledger_lines', 'true')).toBe(lines)
  })

  it('that was closed keeps its seal when the number of shards is doubled, also for who is erased then', async () => {
    await shards.cron()
    await shards.deploy(settingsWith(TO))
    const count = () => shards.ask<number>('registry', 'shardCount')
    await until('the number of shards is doubled', count, (found) => found === TO)
    store = storeOver(TO)
    expect(await findings()).toEqual([])
    for (const { user } of people.slice(0, 6)) await store.deleteUser(user.id, Date.now())
    expect(await findings()).toEqual([])
    expect(await countIn('ledger_lines', 'salt IS NULL', TO)).toBe(6)
  })
})
