// Runs the planted test files of this folder, for count-reporter.test.ts.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.planted.ts'],
    reporters: ['../count-reporter.ts'],
    cache: false,
  },
})
