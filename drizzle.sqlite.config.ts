import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/stores/sqlite-dialect/schema/schema.ts',
  out: './migrations/sqlite',
})
