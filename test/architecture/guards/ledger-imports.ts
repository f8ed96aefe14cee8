// The ledger is in folders of its own in each layer. Deleting these folders and the imports of the files below removes it.
import { importedPaths } from '../support/imports.ts'
import { isIn, isScript } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

/** Files and folders that import the ledger, with the reason. */
const WIRING: Readonly<Record<string, string>> = {
  'src/ports/': 'the store has its operations, and telemetry its notices',
  'src/stores/postgres/schema/schema.ts': 'lists all tables',
  'src/stores/sqlite-dialect/schema/schema.ts': 'lists all tables',
  'src/stores/postgres/store.ts': 'assembles the store',
  'src/stores/sqlite-dialect/store.ts': 'assembles the store',
  'src/stores/shared/cold-store.ts': 'assembles the store',
  'src/stores/postgres/people/': 'each change of a person or an occasion appends to the journal',
  'src/stores/sqlite-dialect/people/': 'each change of a person or an occasion appends to the journal',
  'src/stores/postgres/zones.ts': 'each change of timezone rules appends to the journal',
  'src/stores/sqlite-dialect/zones.ts': 'each change of timezone rules appends to the journal',
  'src/app/events/prune.ts': 'keeps the events that an account needs',
  'src/http/app.ts': 'mounts its operations',
  'src/http/events/': 'an event shows its line',
  'src/runtimes/': 'closes days, posts reports, reads metrics',
  'src/cli/terce.ts': 'adds its command',
  'src/cli/commands/prune.ts': 'removes its old rows',
  'src/cli/doctor/doctor.ts': 'runs its check',
}

const isOfLedger = (path: string) => path.includes('/ledger/')
const isWiring = (path: string) => Object.keys(WIRING).some((one) => path.startsWith(one))

export const LEDGER_IMPORTS: Guard = {
  rule: 'outside of folders called ledger, only wiring imports the ledger',
  check(files) {
    return files
      .filter(isScript)
      .filter(isIn('src'))
      .filter(({ path }) => !isOfLedger(path) && !isWiring(path))
      .flatMap((file) =>
        importedPaths(file)
          .filter(isOfLedger)
          .map((target) => `${file.path} imports ${target}`),
      )
  },
  planted: [
    {
      violation: 'the engine when it imports the ledger',
      tree: {
        'src/engine/plan.ts': "import { dayName } from '../domain/ledger/day.ts'",
        'src/app/ledger/close-days.ts': "import { dayName } from '../../domain/ledger/day.ts'",
        'src/runtimes/node/worker.ts': "import { startClosing } from '../../app/ledger/start-closing.ts'",
      },
      reported: ['src/engine/plan.ts imports src/domain/ledger/day.ts'],
    },
    {
      violation: 'a store operation outside the wiring when it imports a type of the ledger',
      tree: { 'src/stores/shared/settings.ts': "import type { Row } from './ledger/journal.ts'" },
      reported: ['src/stores/shared/settings.ts imports src/stores/shared/ledger/journal.ts'],
    },
  ],
}
