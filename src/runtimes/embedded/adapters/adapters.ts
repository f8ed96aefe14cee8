// `terce/adapters`: the transactions of Drizzle, Knex, Kysely and Prisma. None of the libraries is imported.
export type { PgClient, Transactions } from '../transactions.ts'
export { drizzle } from './drizzle.ts'
export { knex } from './knex.ts'
export { kysely } from './kysely.ts'
export { prisma } from './prisma.ts'
