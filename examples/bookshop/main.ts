// DATABASE_URL=postgres://… ADMIN_PASSWORD=… npm start
import { serve } from '@hono/node-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { basicAuth } from 'hono/basic-auth'
import pg from 'pg'
import { createTerce } from 'terce'
import * as adapters from 'terce/adapters'
import { CREATE_TABLES } from './schema.ts'
import { createShop } from './shop.ts'

const { DATABASE_URL, ADMIN_PASSWORD, PORT = '8080', DELIVER_AT = '09:00' } = process.env
if (DATABASE_URL === undefined || ADMIN_PASSWORD === undefined)
  throw new Error('Set DATABASE_URL and ADMIN_PASSWORD.')

const pool = new pg.Pool({ connectionString: DATABASE_URL })
await pool.query(CREATE_TABLES)
const db = drizzle(pool)
const terce = createTerce({
  database: pool,
  transactions: adapters.drizzle(db),
  settings: { DELIVER_AT },
  basePath: '/terce',
  // The shop has checked the password.
  authenticate: () => ({ name: 'owner', scope: 'admin' }),
})

const shop = createShop(db, terce)
shop.use('/terce/*', basicAuth({ username: 'owner', password: ADMIN_PASSWORD }))
shop.all('/terce/*', (c) => terce.fetch(c.req.raw, c.env))
await terce.start()
const server = serve({ fetch: shop.fetch, port: Number(PORT) }, ({ port }) =>
  console.log(`The bookshop is at http://localhost:${port}, its dashboard at /terce/.`),
)

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    server.close()
    await terce.stop()
    await pool.end()
  })
