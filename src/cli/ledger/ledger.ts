// `terce ledger`: what became of every message that was owed.
import { InvalidArgumentError } from 'commander'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import type { AddCommand } from '../entry.ts'
import { addRemoteOptions, REMOTE_HELP, withRemote } from '../remote.ts'
import { checkOptions, type ShowOptions, showDay, showDays, showToday } from './show.ts'

const HELP = `
Examples:
  terce ledger
  terce ledger --from 2026-11-01 --to 2026-11-30 --json
  terce ledger --today
  terce ledger --day 2026-11-16
  terce ledger --day 2026-11-17 --now
  terce ledger --day 2026-11-16 --hash

A day is a local date in the timezone of each person. It is closed soon after it has ended everywhere, at 12:00 UTC of the next
day. With --today the account of the running day by UTC is shown, as far as it is due. With --now the account of a day is computed from the database, and not stored. Exits with 1 if a day that is shown has
unexplained messages (owed, and nothing recorded says what became of them) or surplus messages (sent, and not owed), and with
--hash if the rows of the day do not give the hash it was closed with.
`

export const addLedger: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('ledger').description('show what became of every message that was owed'))
    .option('--today', 'the account of the running day so far')
    .option('--day <date>', 'one day, with the lines that are not plain deliveries', parseDay)
    .option('--all', 'with --day: every line')
    .option('--now', 'with --day: compute the account of a day that is not closed')
    .option('--hash', 'with --day: recompute the hash of a closed day from its rows')
    .option('--from <date>', 'the first day (default: the last 14 closed days)', parseDay)
    .option('--to <date>', 'the last day', parseDay)
    .option('--json', 'print one JSON object, or one per line for each day')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action(async (options: ShowOptions) => {
      checkOptions(options)
      const { day, now, hash } = options
      if (day !== undefined && hash) {
        const { checkHash } = await import('./check-hash.ts')
        return checkHash(entry, day, options)
      }
      if (day !== undefined && now) {
        const { showUnclosed } = await import('./account-now.ts')
        return showUnclosed(entry, day, options)
      }
      return withRemote(options, entry, ({ client }) => {
        if (options.today) return showToday(client, options)
        return day === undefined ? showDays(client, options) : showDay(client, day, options)
      })
    })
}

function parseDay(text: string): string {
  if (parseCivilDate(text) === null) throw new InvalidArgumentError('Use a date such as 2026-11-16.')
  return text
}
