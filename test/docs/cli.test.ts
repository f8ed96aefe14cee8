// The pages about the command line and the client, as written: what they tell to run runs, and prints what they show.
import { describe, expect, it } from 'vitest'
import { addExplain } from '../../src/cli/commands/explain.ts'
import { addHold, addRelease } from '../../src/cli/commands/hold.ts'
import { addMigrate } from '../../src/cli/commands/migrate.ts'
import { addPrune } from '../../src/cli/commands/prune.ts'
import { addReplay } from '../../src/cli/commands/replay.ts'
import { addRequest } from '../../src/cli/commands/request.ts'
import { addSendTime } from '../../src/cli/commands/send-time.ts'
import { addTail } from '../../src/cli/commands/tail.ts'
import { addDoctor } from '../../src/cli/doctor/doctor.ts'
import { addLedger } from '../../src/cli/ledger/ledger.ts'
import { addChannels } from '../../src/cli/resources/channels.ts'
import { addEvents } from '../../src/cli/resources/events.ts'
import { addPeople } from '../../src/cli/resources/people.ts'
import { addTemplates } from '../../src/cli/resources/templates.ts'
import { deliver, statuses } from '../cli/support/deliveries.ts'
import { useDatabase } from '../cli/support/in-process.ts'
import type { Ran } from '../cli/support/run-command.ts'
import { KEY, useServedDatabase } from '../cli/support/serve-database.ts'
import { useProject } from '../client/support/project.ts'
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
  addRequest,
  addSendTime,
  addTail,
)
const start = useServedDatabase(database)
const project = useProject()

const cli = readPage('cli.md')
const client = readPage('client.md')

/** Instants, ids and numbers vary, and a plural with its number; all else is as shown. */
const timeless = (text: string) =>
  text
    .replaceAll(/\S*terce\.db/g, 'terce.db')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id')
    .replaceAll(/\d+/g, '#')
    .replaceAll('# attempts', '# attempt')
    .replaceAll(/ +/g, ' ')

describe('the command line, as written', () => {
  it('looks at a database with failures, explains one of them, and sends all again', async () => {
    await deliver(database.path, 1, 'delivered')
    const [failed] = await deliver(database.path, 3, 'failed')
    const commands = cli.blocks('sh').flatMap((block) => block.trim().split('\n'))
    const ran: Record<string, Ran> = {}
    for (const command of commands) {
      const [word, name, ...args] = command.split(' ')
      expect(word).toBe('terce')
      const given = args.map((arg) =>
        /^[\da-f-]{36}$/.test(arg) ? failed!.eventId : arg.replace(/^'(.*)'$/, '$1'),
      )
      const there = given.indexOf('http://localhost:3000')
      if (there >= 0) given.splice(there, 1, await start('read'), '--key', KEY)
      const result = await database.terce([name!, ...given])
      expect([command, result.code, result.stderr.match(/^terce: .*/)]).toEqual([command, 0, null])
      ran[command] = result
    }
    const [doctor, tail] = cli.blocks('text')
    expect(timeless(ran['terce doctor']!.stdout)).toBe(timeless(doctor!))
    expect(timeless(ran['terce tail --failed --no-follow -n 1']!.stdout)).toBe(timeless(tail!))
    // Three replays, and the birthdays of the people that `terce people` and `terce request` created.
    expect(await statuses(database.path)).toEqual({ COMPLETED: 1, FAILED: 3, PENDING: 3 + 2 })
  })
})

describe('the client, as written', () => {
  it('runs from top to bottom, and prints what is shown', async () => {
    await deliver(database.path, 0, null)
    const url = await start('write')
    const { code, stdout, stderr } = await project.run(client.blocks('ts').join('\n'), {
      TERCE_URL: url,
      TERCE_KEY: KEY,
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(client.blocks('text').join(''))
  })
})
