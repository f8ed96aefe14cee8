// The `terce` command: the one door. Reads the clock and the environment once, and hands them to the command asked for.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../runtimes/config/config.ts'
import { VERSION } from '../runtimes/config/version.ts'
import { addExplain } from './commands/explain.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addKeys } from './commands/keys.ts'
import { addListen } from './commands/listen.ts'
import { addMigrate } from './commands/migrate.ts'
import { addPrune } from './commands/prune.ts'
import { addRehearse } from './commands/rehearse.ts'
import { addReplay } from './commands/replay.ts'
import { addServe } from './commands/serve.ts'
import { addSimulate } from './commands/simulate.ts'
import { addTail } from './commands/tail.ts'
import { addTimezones } from './commands/tz.ts'
import { addWave } from './commands/wave.ts'
import { addDoctor } from './doctor/doctor.ts'
import type { Entry } from './entry.ts'

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
