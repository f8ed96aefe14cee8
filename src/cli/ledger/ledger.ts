// `terce ledger` and its commands: what became of every message that was owed, and the proof of it.
import { type Command, InvalidArgumentError } from 'commander'
import { parseUuid } from '../../domain/events/uuid.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'
import { exportDays, proveEvent } from './files.ts'
import { checkOptions, checkPeriod, type ShowOptions, showDay, showDays } from './show.ts'
import { type VerifyOptions, verifyDatabase, verifyLedgerFile } from './verify.ts'

const HELP = `
Examples:
  terce ledger
  terce ledger --from 2026-11-01 --to 2026-11-30 --json
  terce ledger --day 2026-11-16
  terce ledger --day 2026-11-17 --now

A day is a local date in the timezone of each person. It is closed soon after it has ended everywhere, at 12:00 UTC of the next
day. With --now the account of a day is computed from the database, and not stored. Exits with 1 if a day that is shown has
unexplained messages (owed, and nothing recorded says what became of them) or surplus messages (sent, and not owed).
`

const VERIFY_HELP = `
Checks the signatures, the chain of the days, and that each day has the lines that were signed. A file needs no database. Without
a file, checks all closed days in the database of DATABASE_URL. An unexplained or surplus message that the account itself reports
is a note, not an error.

Exit codes: 0 sound, 1 not sound, 2 wrong usage.`

const ROTATE_HELP = `
Works on the database of DATABASE_URL. Days that are closed keep the signature of their key, and the chain goes on. The private
key before it is erased, so this also helps if no TERCE_SECRET_KEY opens it any more. Give the new public key to those who verify.

Exit codes: 0 done, 1 failed, 2 wrong usage.`

const JSON_OPTION = ['--json', 'print one JSON object'] as const

export const addLedger: AddCommand = (program, entry) => {
  const ledger = addRemoteOptions(
    program.command('ledger').description('show and prove what became of every message that was owed'),
  )
    .option('--day <date>', 'one day, with the lines that are not plain deliveries', parseDay)
    .option('--all', 'with --day: every line')
    .option('--now', 'with --day: compute the account of a day that is not closed')
    .option('--from <date>', 'the first day (default: the last 14 closed days)', parseDay)
    .option('--to <date>', 'the last day', parseDay)
    .option('--json', 'print one JSON object, or one per line for each day')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action(async (options: ShowOptions) => {
      checkOptions(options)
      const { day, now } = options
      if (day !== undefined && now) {
        const { showUnclosed } = await import('./account-now.ts')
        return showUnclosed(entry, day, options)
      }
      return withRemote(options, entry, ({ client }) =>
        day === undefined ? showDays(client, options) : showDay(client, day, options),
      )
    })

  ledger
    .command('verify [file]')
    .description('check an exported file, a proof, or the closed days in the database')
    .option('--key <base64>', 'the public key that must have signed; several are separated by commas')
    .option(...JSON_OPTION)
    .addHelpText('after', VERIFY_HELP)
    .action((file: string | undefined, _, command: Command) => {
      const options = optionsOf<VerifyOptions>(command)
      return file === undefined ? verifyDatabase(entry, options) : verifyLedgerFile(file, options)
    })

  ledger
    .command('rotate-key')
    .description('make a new key, which signs the days from now on')
    .option(...JSON_OPTION)
    .addHelpText('after', ROTATE_HELP)
    .action(async (_, command: Command) => {
      const { rotate } = await import('./rotate-key.ts')
      return rotate(entry, optionsOf<{ json?: true }>(command))
    })

  addRemoteOptions(ledger.command('prove').description('prove that an event is in the account of its day'))
    .requiredOption('--event <id>', 'the event', parseEvent)
    .option('--day <date>', 'the line of this day (default: the last day that has one)', parseDay)
    .option('--out <file>', 'output file (default: standard output)')
    .addHelpText('after', REMOTE_HELP)
    .action((_, command: Command) => {
      const options = optionsOf<RemoteOptions & { event: string; day?: string; out?: string }>(command)
      return withRemote(options, entry, ({ client }) => proveEvent(client, options))
    })

  addRemoteOptions(
    ledger.command('export').description('export closed days as one file that can be verified'),
  )
    .option('--from <date>', 'the first day (default: the first closed day)', parseDay)
    .option('--to <date>', 'the last day (default: the last closed day)', parseDay)
    .requiredOption('--out <file>', 'output file')
    .addHelpText('after', REMOTE_HELP)
    .action((_, command: Command) => {
      const options = optionsOf<RemoteOptions & { from?: string; to?: string; out: string }>(command)
      checkPeriod(options)
      return withRemote(options, entry, ({ client }) => exportDays(client, options, options.out))
    })
}

/** Commander gives an option that `terce ledger` has too to `terce ledger`, even if the command does not have it. */
function optionsOf<T>(command: Command): T {
  const own = command.options.map((option) => option.attributeName())
  const given = command.parent!.options.filter(
    (option) => command.parent!.getOptionValue(option.attributeName()) !== undefined,
  )
  const foreign = given.filter((option) => !own.includes(option.attributeName()))
  if (foreign.length > 0)
    throw new ConfigError(
      foreign.map(({ long }) => `${long} is not an option of terce ledger ${command.name()}.`),
    )
  return command.optsWithGlobals() as T
}

function parseDay(text: string): string {
  if (parseCivilDate(text) === null) throw new InvalidArgumentError('Use a date such as 2026-11-16.')
  return text
}

function parseEvent(text: string): string {
  const id = parseUuid(text)
  if (id === null) throw new InvalidArgumentError('Use the id of an event: terce tail --json prints some.')
  return id
}
