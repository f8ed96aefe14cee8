// The commands of docs/cli.md, called in this process.
import { expect, it } from 'vitest'
import { addExplain } from '../../src/cli/commands/explain.ts'
import { addHold, addRelease } from '../../src/cli/commands/hold.ts'
import { addMigrate } from '../../src/cli/commands/migrate.ts'
import { addPrune } from '../../src/cli/commands/prune.ts'
import { addReplay } from '../../src/cli/commands/replay.ts'
import { addSendTime } from '../../src/cli/commands/send-time.ts'
import { addDoctor } from '../../src/cli/doctor/doctor.ts'
import { addLedger } from '../../src/cli/ledger/ledger.ts'
import { addChannels } from '../../src/cli/resources/channels.ts'
import { addEvents } from '../../src/cli/resources/events.ts'
import { addPeople } from '../../src/cli/resources/people.ts'
import { addTemplates } from '../../src/cli/resources/templates.ts'
import { deliver, statuses } from '../cli/support/deliveries.ts'
import { useDatabase } from '../cli/support/in-process.ts'
import { KEY, useServedDatabase } from '../cli/support/serve-database.ts'
import { readPage } from './support/page.ts'

const database = useDatabase(
  addChannels,
  addDoctor,
  addEvents,
  addPeople,
  addTemplates,
  addExplain,
  addLedger,
  addMigrate,
  addPrune,
  addReplay,
  addHold,
  addRelease,
  addSendTime,
)
const start = useServedDatabase(database)

it('the commands of docs/cli.md succeed on a database with failed events, and replay them', async () => {
  const [failed] = await deliver(database.path, 3, 'failed')
  const commands = readPage('cli.md').blocks('sh').join('').trim().split('\n')
  for (const command of commands) {
    const [, ...args] = command.split(' ').map((arg) => arg.replace(/^'(.*)'$/, '$1'))
    const id = args.findIndex((arg) => /^[\da-f-]{36}$/.test(arg))
    if (id >= 0) args[id] = failed!.eventId
    const url = args.indexOf('http://localhost:3000')
    if (url >= 0) args.splice(url, 1, await start('read'), '--key', KEY)
    const { code, stderr } = await database.terce(args)
    expect([command, code, stderr.match(/^terce: .*/)]).toEqual([command, 0, null])
  }
  // Three replays, and the birthday of the person that `terce people` created.
  expect(await statuses(database.path)).toEqual({ FAILED: 3, PENDING: 3 + 1 })
})
