import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/stores/postgres/schema/schema.ts',
  out: './migrations/postgres',
})
