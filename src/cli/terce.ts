// The `terce` command: the one door. Reads the clock and the environment once, and hands them to the command asked for.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../runtimes/config.ts'
import { VERSION } from '../runtimes/version.ts'
import { addDoctor } from './doctor.ts'
import type { Entry } from './entry.ts'
import { addExplain } from './explain.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addKeys } from './keys.ts'
import { addListen } from './listen.ts'
import { addMigrate } from './migrate.ts'
import { addPrune } from './prune.ts'
import { addRehearse } from './rehearse.ts'
import { addReplay } from './replay.ts'
import { addServe } from './serve.ts'
import { addSimulate } from './simulate.ts'
import { addTail } from './tail.ts'
import { addTimezones } from './tz.ts'
import { addWave } from './wave.ts'

const COMMANDS = [
  addServe,
  addMigrate,
  addPrune,
  addKeys,
  addImport,
  addExport,
  addSimulate,
  addRehearse,
  addTimezones,
  addExplain,
  addTail,
  addReplay,
  addWave,
  addDoctor,
  addListen,
]

const entry: Entry = { env: process.env, now: Date.now() }

const program = new Command('terce')
  .description('Delivers a message to each person at 09:00 their time, once, whatever breaks.')
  .version(VERSION)
  .addHelpText(
    'after',
    '\nEverything is configured by environment variables: PORT, HOST, DATABASE_URL, WEBHOOK_URL, DELIVER_AT, …\n' +
      'docs/operate.md lists them all.',
  )
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(inOneLine(text)) })
for (const add of COMMANDS) add(program, entry)

try {
  const [word] = process.argv.slice(2)
  const known = ['help', ...program.commands.map((command) => command.name())]
  // With a default command, commander takes a misspelt one for its argument.
  if (word !== undefined && !word.startsWith('-') && !known.includes(word)) {
    throw new ConfigError([`There is no command "${word}". terce --help lists them.`])
  }
  await program.parseAsync()
} catch (error) {
  process.exit(report(error as NodeJS.ErrnoException))
}

/** Says what is wrong and returns the exit code: 1 for what failed, 2 for what was asked for wrongly. */
function report(error: NodeJS.ErrnoException): number {
  // Commander has said it already; help and version come this way too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  for (const line of inWords(error).split('\n')) console.error(`terce: ${line}`)
  return error instanceof ConfigError ? 2 : 1
}

/** What commander says of a wrong option, in the form of all other errors. */
function inOneLine(text: string): string {
  return `${text
    .trim()
    .replace(/^error:/, 'terce:')
    .replaceAll('\n', ' ')}\n`
}

function inWords({ code, syscall, message }: NodeJS.ErrnoException): string {
  const { PORT = '3000', HOST = '127.0.0.1' } = entry.env
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return message
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${PORT} is taken by another program. Set PORT to a free one.`
    case 'EACCES':
      return `Port ${PORT} is not for this user. Set PORT to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${HOST} is no address of this machine. Leave it out, or give one that is.`
    default:
      return message
  }
}
