import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import LongFirst from './test/support/long-first.ts'

// Tests start hundreds of threads and processes: they share one cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'terce-compile-cache')
process.env.NODE_OPTIONS = `--import=${new URL('bin/quick-imports.js', import.meta.url)}`

/**
 * Tests without shared state: a process loads the code once and runs one file after another. Some tests of the other folders
 * change the environment of their process.
 */
const TOGETHER = [
  'app',
  'channels',
  'cli',
  'client',
  'deploy',
  'docs',
  'domain',
  'engine',
  'http',
  'ledger-verifier',
  'queues',
  'receiver',
  'rehearsal',
  'runtimes/config',
  'runtimes/node',
  'stores',
  'telemetry',
  'web',
]
const together = TOGETHER.map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // More workers than the two cores of CI: most of these tests wait for processes and disks.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A poll ends as soon as it succeeds: the limit only has to exceed the slowest page on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'parts', include: together, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: together } },
    ],
  },
})
