// A feature is in a folder or a file of its name in each layer. Deleting these and the imports of the files below removes it.
import { importedPaths } from '../support/imports.ts'
import { isIn, isScript, type SourceFile } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

/** Files and folders that import each feature, with the reason. */
const WIRING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ledger: {
    'src/ports/': 'the store has its operations, and telemetry its notices',
    'src/stores/tables/': 'lists all tables',
    'src/stores/postgres/store.ts': 'assembles the store',
    'src/stores/sqlite-dialect/store.ts': 'assembles the store',
    'src/http/app.ts': 'mounts its operations',
    'src/runtimes/': 'keeps it, and reads metrics',
    'src/cli/commands.ts': 'adds its command',
    'src/cli/doctor/doctor.ts': 'runs its check',
  },
  enqueue: {
    'src/stores/tables/': 'lists all tables',
    'src/stores/postgres/store.ts': 'assembles the store',
    'src/stores/postgres/people/people.ts': 'an erased person loses the changes that wait',
    'src/runtimes/': 'applies changes in the background',
    'src/library/testing/': 'applies changes under the virtual clock',
    'src/cli/doctor/doctor.ts': 'runs its check',
  },
  feeds: {
    'src/ports/store.ts': 'the store has its operations',
    'src/stores/shared/settings.ts': 'stores feeds beside the other settings',
    'src/http/app.ts': 'mounts its operations',
  },
}

/** Imports of one feature by files outside of it that are not wiring. */
const importsOf = (
  files: readonly SourceFile[],
  feature: string,
  wiring: Readonly<Record<string, string>>,
) => {
  const isOfFeature = (path: string) => path.includes(`/${feature}/`) || path.endsWith(`/${feature}.ts`)
  const isWiring = (path: string) => Object.keys(wiring).some((one) => path.startsWith(one))
  return files
    .filter(({ path }) => !isOfFeature(path) && !isWiring(path))
    .flatMap((file) =>
      importedPaths(file)
        .filter(isOfFeature)
        .map((target) => `${file.path} imports ${target}`),
    )
}

export const FEATURE_IMPORTS: Guard = {
  rule: 'outside of the folders and files of a feature, only wiring imports it',
  check(files) {
    const scripts = files.filter(isScript).filter(isIn('src'))
    return Object.entries(WIRING).flatMap(([feature, wiring]) => importsOf(scripts, feature, wiring))
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
    {
      violation: 'an import of a feature that is one file, but not those of the file itself',
      tree: {
        'src/ports/ledger.ts': "import type { StoredLine } from '../domain/ledger/line.ts'",
        'src/engine/settle.ts': "import type { LedgerStore } from '../ports/ledger.ts'",
      },
      reported: ['src/engine/settle.ts imports src/ports/ledger.ts'],
    },
    {
      violation: 'a use case of the kernel when it imports another feature',
      tree: {
        'src/app/users/bulk.ts': "import { drainEnqueued } from '../enqueue/drain.ts'",
        'src/runtimes/node/worker.ts': "import { drainEnqueued } from '../../app/enqueue/drain.ts'",
      },
      reported: ['src/app/users/bulk.ts imports src/app/enqueue/drain.ts'],
    },
  ],
}
