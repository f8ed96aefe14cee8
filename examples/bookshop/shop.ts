// A bookshop that gives each customer a voucher on their birthday at nine, their time. Customers and vouchers are its own rows; each
// of them commits together with what Terce stores about it.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type Terce, TerceError } from 'terce'
import { customers, vouchers } from './schema.ts'

export type Database = NodePgDatabase
type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

export const VOUCHER_EUROS = 10

export function createShop(db: Database, terce: Terce<Transaction>): Hono {
  terce.on('BIRTHDAY', async ({ externalId, occurrence }, { tx }) => {
    await tx
      .insert(vouchers)
      .values({ customerId: externalId!, year: Number(occurrence), euros: VOUCHER_EUROS })
  })

  const app = new Hono()

  app.post('/customers', async (c) => {
    const details = await c.req.json()
    const id = randomUUID()
    const customer = await db.transaction(async (tx) => {
      // First, because Terce checks dates and time zones. A customer who signs up on their birthday after nine gets the voucher at once.
      await terce.users.create({ ...details, externalId: id, sendTodayNow: true }, { tx })
      const row = { ...details, id }
      const [inserted] = await tx.insert(customers).values(row).returning()
      return inserted
    })
    return c.json(customer, 201)
  })

  app.get('/customers', async (c) => c.json(await db.select().from(customers)))

  app.put('/customers/:id', async (c) => {
    const changes = await c.req.json()
    const id = c.req.param('id')
    const customer = await db.transaction(async (tx) => {
      const person = await terce.users.byExternalId(id, { tx })
      await terce.users.change(person.id, changes, { tx })
      const [updated] = await tx.update(customers).set(changes).where(eq(customers.id, id)).returning()
      return updated
    })
    return c.json(customer)
  })

  app.delete('/customers/:id', async (c) => {
    const id = c.req.param('id')
    await db.transaction(async (tx) => {
      const person = await terce.users.byExternalId(id, { tx })
      await terce.users.delete(person.id, { tx })
      await tx.delete(customers).where(eq(customers.id, id))
    })
    return c.body(null, 204)
  })

  app.get('/customers/:id/vouchers', async (c) =>
    c.json(
      await db
        .select()
        .from(vouchers)
        .where(eq(vouchers.customerId, c.req.param('id'))),
    ),
  )

  app.onError((error, c) => {
    // The transaction was rolled back.
    if (error instanceof TerceError)
      return c.json({ error: error.message, problems: error.problems }, error.status as 400 | 404 | 409)
    if (error instanceof HTTPException) return error.getResponse()
    throw error
  })
  return app
}
