// Imports between folders: domain ← ports ← engine ← app ← adapters ← runtimes ← library, cli.
import { importedPaths } from '../support/imports.ts'
import { isIn, isScript } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

/** The folders that each folder may import besides itself. The longest match owns a file. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  engine: ['ports', 'domain'],
  app: ['engine', 'ports', 'domain'],
  api: ['app', 'engine', 'ports', 'domain'],
  stores: ['ports', 'domain'],
  'stores/tables': ['ports', 'domain'],
  'stores/shared': ['stores/tables', 'stores', 'ports', 'domain'],
  'stores/sqlite-dialect': ['stores/tables', 'stores/shared', 'stores', 'ports', 'domain'],
  'stores/sqlite': ['stores/sqlite-dialect', 'stores/shared', 'stores', 'ports', 'domain'],
  'stores/d1': ['stores/tables', 'stores/sqlite-dialect', 'stores/shared', 'stores', 'ports', 'domain'],
  'stores/postgres': ['stores/tables', 'stores/shared', 'stores', 'ports', 'domain'],
  receiver: [],
  channels: ['channels/webhook', 'channels/email', 'channels/dial', 'receiver', 'ports', 'domain'],
  'channels/webhook': ['channels/dial', 'receiver', 'ports', 'domain'],
  'channels/email': ['channels/dial', 'ports', 'domain'],
  'channels/dial': ['ports', 'domain'],
  queues: ['ports', 'domain'],
  http: ['receiver', 'api', 'app', 'engine', 'ports', 'domain'],
  telemetry: ['ports', 'domain'],
  client: [],
  runtimes: [
    'client',
    'http',
    'api',
    'stores/sqlite',
    'stores/d1',
    'stores/postgres',
    'channels',
    'channels/webhook',
    'channels/email',
    'channels/dial',
    'queues',
    'receiver',
    'telemetry',
    'app',
    'engine',
    'ports',
    'domain',
  ],
  library: [
    'client',
    'receiver',
    'runtimes',
    'http',
    'api',
    'stores/sqlite',
    'stores/postgres',
    'channels',
    'channels/dial',
    'telemetry',
    'app',
    'engine',
    'ports',
    'domain',
  ],
  // Alone of the library under the virtual clock.
  'library/testing': [
    'library',
    'runtimes',
    'stores/sqlite',
    'stores/sqlite-dialect',
    'stores/tables',
    'stores/postgres',
    'channels/webhook',
    'receiver',
    'app',
    'engine',
    'ports',
    'domain',
  ],
  cli: ['client', 'receiver', 'runtimes', 'http', 'app', 'engine', 'domain'],
}

/** The dashboard runs in a browser: it shares the pure code and the types of the API, nothing else. */
const WEB_MAY_IMPORT = /^src\/(?:domain\/|client\/|receiver\/verify\.ts$)/

/** The data that the expected schedule of the ledger shares with the planner, and the types of the journal. */
const EXPECTED_MAY_IMPORT =
  /^src\/domain\/(?:ledger\/(?:expected\/|journal\.ts$)|calendars\/calendar-years\.ts$)/

export const IMPORT_DIRECTION: Guard = {
  rule: 'imports between the folders of src point in one direction',
  check(files) {
    return files
      .filter(isScript)
      .filter(isIn('src'))
      .flatMap((file) => {
        const from = folderOf(file.path)
        if (from === undefined) return [`${file.path} is in none of the folders that the import table names`]
        return importedPaths(file)
          .filter((target) => !mayImport(from, target))
          .map((target) => `${file.path} imports ${target}`)
      })
  },
  planted: [
    {
      violation: 'the engine when it imports app',
      tree: { 'src/engine/plan.ts': "import { createUser } from '../app/users/users.ts'" },
      reported: ['src/engine/plan.ts imports src/app/users/users.ts'],
    },
    {
      violation: 'a type import against the direction',
      tree: { 'src/domain/user.ts': "import type { Store } from '../ports/store.ts'" },
      reported: ['src/domain/user.ts imports src/ports/store.ts'],
    },
    {
      violation: 'an adapter when it imports another adapter',
      tree: {
        'src/channels/webhook/webhook.ts': "import { pool } from '../../stores/postgres/connection.ts'",
      },
      reported: ['src/channels/webhook/webhook.ts imports src/stores/postgres/connection.ts'],
    },
    {
      violation: 'one dialect when it imports the other',
      tree: { 'src/stores/postgres/users.ts': "export { rows } from '../sqlite-dialect/rows.ts'" },
      reported: ['src/stores/postgres/users.ts imports src/stores/sqlite-dialect/rows.ts'],
    },
    {
      violation: 'code that the dialects share when it imports a dialect',
      tree: {
        'src/stores/shared/database.ts': "import type * as tables from '../sqlite-dialect/schema/schema.ts'",
        'src/stores/shared/people/list.ts': "import { rows } from '../../postgres/rows.ts'",
      },
      reported: [
        'src/stores/shared/database.ts imports src/stores/sqlite-dialect/schema/schema.ts',
        'src/stores/shared/people/list.ts imports src/stores/postgres/rows.ts',
      ],
    },
    {
      violation: 'a dynamic import against the direction',
      tree: { 'src/app/users/users.ts': "const { app } = await import('../../http/app.ts')" },
      reported: ['src/app/users/users.ts imports src/http/app.ts'],
    },
    {
      violation: 'an import of a file outside src',
      tree: { 'src/cli/terce.ts': "import { user } from '../../test/support/fixtures.ts'" },
      reported: ['src/cli/terce.ts imports test/support/fixtures.ts'],
    },
    {
      violation: 'a file outside the named folders',
      tree: { 'src/utils/strings.ts': '' },
      reported: ['src/utils/strings.ts is in none of the folders that the import table names'],
    },
  ],
}

/** The calls of an application are no requests. Only what it mounts in its web server is HTTP. */
const LIBRARY_MAY_IMPORT_HTTP = 'src/library/mounted-app.ts'

export const LIBRARY_IMPORTS: Guard = {
  rule: `of the library only ${LIBRARY_MAY_IMPORT_HTTP} imports http`,
  check(files) {
    return files
      .filter(isScript)
      .filter(isIn('src/library'))
      .filter(({ path }) => path !== LIBRARY_MAY_IMPORT_HTTP)
      .flatMap((file) =>
        importedPaths(file)
          .filter((target) => target.startsWith('src/http/'))
          .map((target) => `${file.path} imports ${target}`),
      )
  },
  planted: [
    {
      violation: 'a call of the library through the app of the HTTP API',
      tree: { 'src/library/calls/call.ts': "const { createApp } = await import('../../http/app.ts')" },
      reported: ['src/library/calls/call.ts imports src/http/app.ts'],
    },
  ],
}

export const WEB_IMPORTS: Guard = {
  rule: 'the dashboard imports only the domain, the API client and the signature check from src',
  check(files) {
    return files
      .filter(isScript)
      .filter(isIn('web'))
      .flatMap((file) =>
        importedPaths(file)
          .filter((target) => !target.startsWith('web/') && !WEB_MAY_IMPORT.test(target))
          .map((target) => `${file.path} imports ${target}`),
      )
  },
  planted: [
    {
      violation: 'a page when it imports the app',
      tree: { 'web/src/today/today.tsx': "import { today } from '../../../src/app/dashboard/today.ts'" },
      reported: ['web/src/today/today.tsx imports src/app/dashboard/today.ts'],
    },
  ],
}

export const EXPECTED_IMPORTS: Guard = {
  rule: 'the expected schedule of the ledger imports no code of the planner',
  check(files) {
    return files
      .filter(isScript)
      .filter(isIn('src/domain/ledger/expected'))
      .flatMap((file) =>
        importedPaths(file)
          .filter((target) => !EXPECTED_MAY_IMPORT.test(target))
          .map((target) => `${file.path} imports ${target}`),
      )
  },
  planted: [
    {
      violation: "the expected schedule when it imports the planner's dates",
      tree: { 'src/domain/ledger/expected/days.ts': "import { dayNumber } from '../../time/calendar.ts'" },
      reported: ['src/domain/ledger/expected/days.ts imports src/domain/time/calendar.ts'],
    },
    {
      violation: 'the expected schedule when it imports the account, which may import the planner',
      tree: { 'src/domain/ledger/expected/days.ts': "import { account } from '../account.ts'" },
      reported: ['src/domain/ledger/expected/days.ts imports src/domain/ledger/account.ts'],
    },
  ],
}

function folderOf(path: string): string | undefined {
  const folders = Object.keys(MAY_IMPORT).filter((folder) => `${path}/`.startsWith(`src/${folder}/`))
  return folders.sort((a, b) => b.length - a.length)[0]
}

function mayImport(from: string, target: string): boolean {
  const to = folderOf(target)
  return to !== undefined && (to === from || MAY_IMPORT[from]!.includes(to))
}
