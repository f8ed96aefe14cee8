import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Threads and processes that the tests start, hundreds of them, find what was compiled before.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'terce-compile-cache')
process.env.NODE_OPTIONS = `--import=${new URL('bin/quick-imports.js', import.meta.url)}`

/** These share nothing but code: one after another in one process, they need not load it anew. */
const TOGETHER = [
  'domain',
  'http',
  'engine',
  'app',
  'rehearsal',
  'receiver',
  'telemetry',
  'channels',
  'queues',
  'deploy',
]
const together = TOGETHER.map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // More than two cores: most of these tests wait for processes and disks.
    maxWorkers: 3,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'parts', include: together, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: together } },
    ],
  },
})
