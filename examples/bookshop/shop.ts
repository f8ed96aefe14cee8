// A bookshop that gives each customer a voucher on their birthday at nine, their time. Customers and vouchers are its own rows; each
// of them commits together with what Terce stores about it.
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
    const customer = await db.transaction(async (tx) => {
      const [row] = await tx.insert(customers).values(details).returning()
      // On their birthday after nine, a new customer gets the voucher at once.
      await terce.users.create({ ...personOf(row!), sendTodayNow: true }, { tx })
      return row
    })
    return c.json(customer, 201)
  })

  app.get('/customers', async (c) => c.json(await db.select().from(customers)))

  app.put('/customers/:id', async (c) => {
    const changes = await c.req.json()
    const customer = await db.transaction(async (tx) => {
      const [row] = await tx
        .update(customers)
        .set(changes)
        .where(eq(customers.id, c.req.param('id')))
        .returning()
      if (row === undefined) return null
      const { externalId, ...fields } = personOf(row)
      await terce.users.upsert(externalId, fields, { tx })
      return row
    })
    return customer === null ? c.json({ error: 'No such customer' }, 404) : c.json(customer)
  })

  app.delete('/customers/:id', async (c) => {
    const id = c.req.param('id')
    await db.transaction(async (tx) => {
      await tx.delete(customers).where(eq(customers.id, id))
      const person = await terce.users.byExternalId(id, { tx })
      await terce.users.delete(person.id, { tx })
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
    // Terce checks dates and time zones; the transaction was rolled back.
    if (error instanceof TerceError) return c.json({ error: error.message, problems: error.problems }, 400)
    if (error instanceof HTTPException) return error.getResponse()
    throw error
  })
  return app
}

function personOf({ id, ...details }: typeof customers.$inferSelect) {
  return { externalId: id, ...details }
}
