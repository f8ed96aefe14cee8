// Terce in the file of an application, whose tables have the names of Terce's.
import { openSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import { spawnClaimer } from '../../support/spawn-claimer.ts'
import { createApplication } from './application.ts'
import type { StoreFiles } from './store-files.ts'

const PREFIX = 'terce_'

export const IN_APPLICATION: StoreFiles = {
  open: async (file) => openSqliteStore(file, PREFIX),
  prefix: PREFIX,
  fill: createApplication,
  spawnClaimer,
}
