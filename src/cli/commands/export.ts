// `terce export`: hands out everybody in the database of the environment.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option } from 'commander'
import { EXPORT_FORMATS, type ExportFormat, exportPeople } from '../../app/users/export-people.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'

export const addExport: AddCommand = (program, { env }) => {
  program
    .command('export')
    .description('hand out everybody, as comma-separated values or as one JSON object a line')
    .addOption(new Option('--format <format>', 'which').choices(EXPORT_FORMATS).default('csv'))
    .option('--out <file>', 'where to; without it, standard output')
    .action(async ({ format, out }: { format: ExportFormat; out?: string }) => {
      const config = readConfig(env)
      const { openDatabase } = await import('../../runtimes/node/database.ts')
      const { store, close } = await openDatabase(config.database, (error) => {
        throw error
      })
      let people = 0
      try {
        const pieces = exportPeople(store, format, (count) => {
          people = count
        })
        await (out === undefined ? print(pieces) : writeFile(out, pieces))
      } finally {
        await close()
      }
      console.error(`${people} ${people === 1 ? 'person' : 'people'} handed out.`)
    })
}

/** A reader that has seen enough, such as head, ends it. */
async function print(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Under its name only once it is whole. It is for its owner alone. */
async function writeFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600 }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
