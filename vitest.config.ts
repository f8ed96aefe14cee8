import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import LongFirst from './test/support/long-first.ts'
import { filesByProject, PROJECTS, type Project } from './test/support/projects.ts'

// Tests start hundreds of threads and processes: they share one cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'terce-compile-cache')
process.env.NODE_OPTIONS = `--import=${new URL('bin/quick-imports.js', import.meta.url)}`

const files = filesByProject()
const SETUP: Partial<Record<Project, string[]>> = { unit: ['nothing-started'], postgres: ['no-deprecations'] }

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // More workers than the two cores of CI: most of these tests wait for processes and disks.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/support/postgres-global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A poll ends as soon as it succeeds: the limit only has to exceed the slowest page on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // Transformed modules are kept for the next run, a sixth of the CPU time of unit tests.
    experimental: { fsModuleCache: true },
    // A process loads the code once and runs one file after another: no test may leave anything changed.
    isolate: false,
    projects: PROJECTS.map((name) => ({
      extends: true as const,
      test: {
        name,
        include: files[name],
        setupFiles: ['cpu-time', ...(SETUP[name] ?? [])].map((file) => `./test/support/${file}.ts`),
      },
    })),
  },
})
