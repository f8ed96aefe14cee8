// DATABASE_URL=postgres://… npm test, on a database that has no data to keep.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import * as adapters from 'terce/adapters'
import { createTestTerce } from 'terce/testing'
import { CREATE_TABLES } from './schema.ts'
import { createShop, VOUCHER_EUROS } from './shop.ts'

async function openShop() {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
  await pool.query('DROP SCHEMA IF EXISTS terce CASCADE; DROP TABLE IF EXISTS vouchers, customers')
  await pool.query(CREATE_TABLES)
  const db = drizzle(pool)
  const transactions = adapters.drizzle(db)
  const terce = await createTestTerce({ database: pool, transactions, now: '2027-01-01T00:00:00Z' })
  const app = createShop(db, terce)
  await terce.start()
  return {
    terce,
    async call(method: string, path: string, body?: object) {
      const response = await app.request(path, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      })
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
    },
    async close() {
      await terce.stop()
      await pool.end()
    },
  }
}

let shop: Awaited<ReturnType<typeof openShop>>
beforeEach(async () => {
  shop = await openShop()
})
afterEach(() => shop.close())

const ADA = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'America/Vancouver',
}

async function signUp(details = ADA): Promise<string> {
  const { status, json } = await shop.call('POST', '/customers', details)
  assert.equal(status, 201)
  return json.id
}

const vouchersOf = async (id: string) =>
  (await shop.call('GET', `/customers/${id}/vouchers`)).json.map(
    ({ year, euros }: { year: number; euros: number }) => ({
      year,
      euros,
    }),
  )

it('gives a voucher at nine on the birthday, and one each year', async () => {
  const id = await signUp()
  await shop.terce.clock.advanceTo('2027-12-15T08:59', 'America/Vancouver')
  assert.deepEqual(await vouchersOf(id), [])
  await shop.terce.clock.advanceTo('2027-12-15T09:00', 'America/Vancouver')
  assert.deepEqual(await vouchersOf(id), [{ year: 2027, euros: VOUCHER_EUROS }])
  await shop.terce.clock.advanceTo('2029-12-31T00:00', 'America/Vancouver')
  assert.deepEqual(
    (await vouchersOf(id)).map(({ year }: { year: number }) => year),
    [2027, 2028, 2029],
  )
})

it('gives the voucher of a customer who moved by the clock of the new place', async () => {
  const id = await signUp()
  await shop.call('PUT', `/customers/${id}`, { timezone: 'Asia/Tokyo' })
  await shop.terce.clock.advanceTo('2027-12-15T09:00', 'Asia/Tokyo')
  assert.equal((await vouchersOf(id)).length, 1)
})

it('gives a customer born on 29 February a voucher on 1 March of other years', async () => {
  const id = await signUp({ ...ADA, dateOfBirth: '1992-02-29' })
  await shop.terce.clock.advanceTo('2027-03-01T09:00', 'America/Vancouver')
  assert.equal((await vouchersOf(id)).length, 1)
})

it('stores no customer whose birthday or time zone does not exist, and changes none to it', async () => {
  const wrong = { ...ADA, dateOfBirth: '1990-02-31', timezone: 'Vancouver' }
  const { status, json } = await shop.call('POST', '/customers', wrong)
  assert.deepEqual([status, json.problems.length], [400, 2])
  assert.deepEqual((await shop.call('GET', '/customers')).json, [])
  const id = await signUp()
  assert.equal((await shop.call('PUT', `/customers/${id}`, { dateOfBirth: '1990-02-31' })).status, 400)
  assert.equal((await shop.call('PUT', '/customers/nobody', { timezone: 'Asia/Tokyo' })).status, 404)
  assert.equal((await shop.call('GET', '/customers')).json[0].dateOfBirth, ADA.dateOfBirth)
})

it('gives nothing to a customer who left', async () => {
  const id = await signUp()
  assert.equal((await shop.call('DELETE', `/customers/${id}`)).status, 204)
  await shop.terce.clock.advanceTo('2028-01-01T00:00', 'America/Vancouver')
  assert.deepEqual(shop.terce.deliveries, [])
})
