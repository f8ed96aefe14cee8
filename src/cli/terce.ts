// The `terce` command. Reads the clock and the environment once, and passes them to the command that runs.
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../runtimes/config/config.ts'
import { VERSION } from '../runtimes/config/version.ts'
import { COMMANDS } from './commands.ts'
import type { Entry } from './entry.ts'
import { nearest } from './misspelt.ts'
import { REMOVED_COMMANDS } from './removed.ts'

const HELP = `
Examples:
  $ terce                                run the service on port 3000, with an SQLite file
  $ terce people list --search ada       find a person
  $ terce import people.csv --dry-run    check a file of people
  $ terce preview --csv people.csv       list what they would get, and when
  $ terce events --follow                watch the deliveries
  $ terce replay --since 6h --dry-run    count what failed in the last six hours

Settings are environment variables: PORT, HOST, DATABASE_URL, WEBHOOK_URL, DELIVER_AT, …
See docs/settings.md for the full list.`

const entry: Entry = { env: process.env, now: Date.now() }

const program = new Command('terce')
  .description('Delivers a message to each person at 09:00 local time, once.')
  .version(VERSION)
  .addHelpText('after', HELP)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(asErrorLine(text)) })
for (const [group, adds] of Object.entries(COMMANDS)) {
  program.commandsGroup(group)
  for (const add of adds) add(program, entry)
}
program.helpCommand(true)

try {
  checkWords(process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  const code = report(error as NodeJS.ErrnoException)
  // An exit would cut off lines that a slow reader of the pipe has not taken yet.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/**
 * Commander would pass a misspelt command to the default command as an argument, and say of a misspelt command of a group only
 * that there is an argument too many.
 */
function checkWords(words: string[]): void {
  let group: Command = program
  for (const [i, word] of words.entries()) {
    if (word.startsWith('-') || group.commands.length === 0) return
    const known = ['help', ...group.commands.flatMap((command) => [command.name(), ...command.aliases()])]
    if (!known.includes(word)) {
      const instead = i === 0 ? REMOVED_COMMANDS[word] : undefined
      if (instead !== undefined) throw new ConfigError([`terce ${word} was removed. ${instead}`])
      const meant = nearest(word, known)
      const guess = meant === null ? '' : ` Did you mean ${meant}?`
      const help = ['terce', ...words.slice(0, i), '--help'].join(' ')
      throw new ConfigError([`Unknown command "${word}".${guess} Run ${help} for the list.`])
    }
    const named = group.commands.find((one) => [one.name(), ...one.aliases()].includes(word))
    if (named === undefined) return
    group = named
  }
}

/** Prints the error and returns the exit code: 1 for a failure, 2 for wrong usage. */
function report(error: NodeJS.ErrnoException): number {
  // Commander has printed it already. Help and version end here too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  for (const line of messageOf(error).split('\n')) console.error(`terce: ${line}`)
  return error instanceof ConfigError ? 2 : 1
}

/** Gives commander's error messages the form of all other errors. */
function asErrorLine(text: string): string {
  return `${text
    .trim()
    .replace(/^error:/, 'terce:')
    .replaceAll('\n', ' ')}\n`
}

function messageOf({ code, syscall, message, cause }: NodeJS.ErrnoException): string {
  // The query builder's message is the statement with its parameters, which may be personal data.
  if (message.startsWith('Failed query') && cause instanceof Error) return messageOf(cause)
  const { PORT = '3000', HOST = '127.0.0.1' } = entry.env
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return message
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${PORT} is in use. Set PORT to a free port.`
    case 'EACCES':
      return `Not allowed to use port ${PORT}. Set PORT to a number above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${HOST} is not an address of this machine. Remove it or set another one.`
    default:
      return message
  }
}
