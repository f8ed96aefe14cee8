// `terce export`: writes all people as CSV or JSON lines.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option } from 'commander'
import { EXPORT_FORMATS, type ExportFormat, exportPeople } from '../../app/users/export-people.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { openForCommand } from '../open-database.ts'
import { countPeople } from '../output/words.ts'
import { writeFile } from '../output/write-file.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, serverOf, withRemote } from '../remote.ts'

type Options = RemoteOptions & { format: ExportFormat; out?: string }

export const addExport: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('export').description('export all people as CSV or JSON lines'))
    .addOption(new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).default('csv'))
    .option('--out <file>', 'output file (default: standard output)')
    .addHelpText('after', REMOTE_HELP)
    .action(async ({ format, out, ...options }: Options) => {
      const { env } = entry
      const write = (pieces: AsyncIterable<string>) =>
        out === undefined ? print(pieces) : writeFile(out, pieces)
      if (serverOf(options, env) !== null) {
        await withRemote(options, entry, ({ client }) =>
          write(client.exportPeople({ query: { format, limit: PAGE } })),
        )
        return console.error('Exported all people.')
      }
      const config = readConfig(env)
      const { auditCli } = await import('../audit.ts')
      const { store, clock, close } = await openForCommand(config.database)
      let people = 0
      try {
        // Before the first piece: an export that breaks off has disclosed people too.
        await auditCli({ store, clock }, { action: 'people.exported', object: null })
        const pieces = exportPeople(store, { format }, (count) => {
          people = count
        })
        await write(pieces)
      } finally {
        await close()
      }
      console.error(`Exported ${countPeople(people)}.`)
    })
}

const PAGE = 2_000

/** Ends quietly when the reader closes the pipe, as head does. */
async function print(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
