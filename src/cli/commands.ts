// All commands, in the groups that `terce --help` shows.
import { addCopy } from './commands/copy.ts'
import { addExplain } from './commands/explain.ts'
import { addExport } from './commands/export.ts'
import { addHold, addRelease } from './commands/hold.ts'
import { addImport } from './commands/import.ts'
import { addMigrate } from './commands/migrate.ts'
import { addPrune } from './commands/prune.ts'
import { addReplay } from './commands/replay.ts'
import { addSendTime } from './commands/send-time.ts'
import { addServe } from './commands/serve.ts'
import { addTimezones } from './commands/tz.ts'
import { addDoctor } from './doctor/doctor.ts'
import type { AddCommand } from './entry.ts'
import { addKeys } from './keys/keys.ts'
import { addLedger } from './ledger/ledger.ts'
import { addPreview } from './preview/preview.ts'
import { addChannels } from './resources/channels.ts'
import { addEvents } from './resources/events.ts'
import { addPeople } from './resources/people.ts'
import { addTemplates } from './resources/templates.ts'
import { addTest } from './resources/test-message.ts'

export const COMMANDS: Readonly<Record<string, readonly AddCommand[]>> = {
  'Run the service:': [addServe],
  'People and their messages:': [
    addPeople,
    addTemplates,
    addImport,
    addExport,
    addPreview,
    addSendTime,
    addTimezones,
  ],
  'Deliveries:': [addEvents, addChannels, addTest, addExplain, addReplay, addHold, addRelease, addLedger],
  'Operate:': [addDoctor, addKeys, addMigrate, addCopy, addPrune],
}
