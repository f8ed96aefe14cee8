// Which tests judge a mutant of which file: stages of test files, the fastest first. A mutant that passes every stage has survived.
import { existsSync } from 'node:fs'

export type Stage = {
  files: readonly string[]
  /** Only tests whose names match. */
  names?: string
}

const SQLITE: Stage = { files: ['test/stores/sqlite/sqlite-store.test.ts'], names: 'the SQLite store' }
const POSTGRES: Stage = { files: ['test/stores/postgres/postgres-store.test.ts'] }
const ENGINE: Stage = { files: ['test/engine'] }
const PLANNING: Stage = {
  files: ['test/app/users/users.test.ts', 'test/app/occasions', 'test/app/tasks', 'test/app/timezones'],
}
const SETTLING: Stage = {
  files: [
    'test/engine/settle.test.ts',
    'test/engine/cut-off.test.ts',
    'test/engine/engine.test.ts',
    'test/app/tasks',
  ],
}
const EDITS: Stage = { files: ['test/http/users', 'test/http/occasions'] }
// Without the test of 5,000 events, which takes most of the time.
const SENDING: Stage = {
  files: ['test/engine/deliver'],
  names: '^(?!.*gets every event when it is up again)',
}
const HTTP: Stage = { files: ['test/http/server', 'test/http/access', 'test/http/dashboard'] }
const REFERENCE: Stage = { files: ['test/http/system'] }

/** By the beginning of the path; fast suites first. A test file of the same name is a stage before these. */
const SUITES: readonly (readonly [prefix: string, stages: readonly Stage[]])[] = [
  ['src/receiver/', [{ files: ['test/receiver/receiver.test.ts', 'test/receiver/verify.test.ts'] }]],
  ['src/runtimes/config/vault.ts', [{ files: ['test/runtimes/config'] }]],
  ['src/domain/events/lateness', [{ files: ['test/runtimes/config', 'test/engine/claim.test.ts'] }]],
  ['src/domain/events/idempotency-key', [{ files: ['test/engine/deliver/attempt.test.ts'] }]],
  ['src/domain/events/event-status', []],
  ['src/domain/events/retry-policy', [ENGINE]],
  ['src/app/access/api-keys', [HTTP]],
  ['src/engine/queue/', [{ files: ['test/engine/queue'] }]],
  ['src/engine/deliver/', [SENDING, ENGINE]],
  ['src/engine/plan', [PLANNING, ENGINE]],
  ['src/engine/settlement', [SETTLING, ENGINE]],
  ['src/engine/', [ENGINE]],
  ['src/app/access/idempotency', [{ files: ['test/http/server/idempotency.test.ts'] }, HTTP]],
  ['src/http/access/session', [{ files: ['test/http/access/session.test.ts'] }, HTTP, REFERENCE]],
  ['src/http/server/auth', [HTTP]],
  ['src/http/server/rate-limit', [HTTP]],
  ['src/http/server/secure-headers', [{ files: ['test/http/server/auth.test.ts'] }, HTTP]],
  ['src/http/server/entity-tag', [HTTP, EDITS]],
  ['src/http/server/idempotency', [HTTP, EDITS]],
  ['src/stores/sqlite-dialect/', [SQLITE]],
  ['src/stores/shared/', [SQLITE]],
  ['src/stores/postgres/', [POSTGRES]],
]

/** The position of the suite of a file: fast suites come first. */
export const suiteOf = (file: string) => SUITES.findIndex(([prefix]) => file.startsWith(prefix))

/** Null for a file that is not mutated. */
export function stagesOf(file: string): Stage[] | null {
  // Tables and columns are compared with what the migrations make: test/stores/schema.test.ts.
  if (file.includes('/schema/')) return null
  const suite = SUITES[suiteOf(file)]
  if (suite === undefined) return null
  const ownTest = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')
  return [...(existsSync(ownTest) ? [{ files: [ownTest] }] : []), ...suite[1]]
}
