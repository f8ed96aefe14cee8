import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/stores/sqlite-dialect/schema.ts',
  out: './migrations/sqlite',
})
