// `terce/adapters`: the transactions of Drizzle, Knex, Kysely and Prisma. None of the libraries is imported.
export type { PgClient, Transactions } from '../transactions.ts'
export { kysely } from './kysely.ts'
export { drizzle, knex } from './on-connections.ts'
export { prisma } from './prisma.ts'
