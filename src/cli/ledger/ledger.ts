// `terce ledger`: who was missed, and what became of the messages of each day.
import { InvalidArgumentError } from 'commander'
import type { Client, components } from '../../client/client.ts'
import { OUTCOMES } from '../../domain/ledger/account.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { brief } from '../output/schedule-lines.ts'
import { grouped } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Day = components['schemas']['LedgerDay']
type Line = components['schemas']['LedgerLine']
type Options = RemoteOptions & { today?: true; day?: string; repair?: true; dryRun?: boolean; json?: true }

const HELP = `
Examples:
  terce ledger
  terce ledger --today
  terce ledger --day 2026-11-16
  terce ledger --repair --dry-run

A day is a local date in the timezone of each person. It is closed at 12:00 UTC of the next day, when it has ended everywhere.
Each hour Terce checks that everybody's next message is planned where it belongs; --repair plans what that check found.
Exits with 1 while there is a problem that can miss a person; with --day, if the day has one.
`

const DAYS = 14

export const addLedger: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('ledger').description('show who was missed, and what became of each day'))
    .option('--today', 'the running day so far, with its problems and failures')
    .option('--day <date>', 'one day, with its problems and failures', parseDay)
    .option('--repair', 'plan again what the check of all plans found')
    .option('--dry-run', 'with --repair: only count')
    .option('--json', 'print one JSON object, or one per line for each day')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action(async (options: Options) => {
      const { today, day, repair, dryRun } = options
      if ([today, day, repair].filter((one) => one !== undefined).length > 1)
        throw new ConfigError(['Give one of --today, --day and --repair.'])
      if (dryRun && !repair) throw new ConfigError(['--dry-run needs --repair.'])
      await withRemote(options, entry, ({ client }) => {
        if (repair) return runRepair(client, options)
        if (day !== undefined) return showDay(client, day, options)
        return today ? showToday(client, options) : showDays(client, options)
      })
    })
}

function parseDay(text: string): string {
  if (parseCivilDate(text) === null) throw new InvalidArgumentError('Use a date such as 2026-11-16.')
  return text
}

/** Throws if there is a problem now. */
async function showDays(client: Client, { json }: Options): Promise<void> {
  const { items: days } = await client.get('/ledger', { query: { limit: DAYS } })
  const { day: today } = await client.get('/ledger/today')
  if (json) for (const day of days) console.log(JSON.stringify(day))
  else console.log([...days.toReversed(), today].map(dayLine).join('\n'))
  requireNone(today)
}

async function showToday(client: Client, { json }: Options): Promise<void> {
  const account = await client.get('/ledger/today')
  print(account, json)
  requireNone(account.day)
}

async function showDay(client: Client, day: string, { json }: Options): Promise<void> {
  const account = await client.get('/ledger/{day}', { path: { day } })
  print(account, json)
  requireNone(account.day)
}

async function runRepair(client: Client, { dryRun = false, json }: Options): Promise<void> {
  const { planned, right, left } = await client.post('/ledger/repair', { body: { dryRun } })
  if (json) console.log(JSON.stringify({ planned, right, left, dryRun }))
  else {
    const done = dryRun ? 'would be planned again' : 'planned again'
    console.log(`${grouped(planned)} ${done}, ${grouped(right)} in their place meanwhile.`)
  }
  if (left > 0) throw new Error(`${grouped(left)} have two planned messages. Delete and add these occasions.`)
}

function print(account: { day: Day; lines: Line[] }, json: true | undefined): void {
  if (json) return console.log(JSON.stringify(account))
  console.log([dayLine(account.day), ...account.lines.flatMap(lineText)].join('\n'))
}

function requireNone({ day, missed }: Day): void {
  if (missed > 0) throw new Error(`${day}: ${grouped(missed)} ${missed === 1 ? 'problem' : 'problems'}.`)
}

const WORDS = { onTime: 'on time', late: 'late', failed: 'failed', notSent: 'not sent', waiting: 'waiting' }

/** `2026-11-16  1,204 due, 1,201 on time, 2 late, 1 failed. Nobody was missed.` */
function dayLine(day: Day): string {
  const counts = OUTCOMES.filter((one) => day[one] > 0).map((one) => `${grouped(day[one])} ${WORDS[one]}`)
  const verdict =
    day.missed === 0
      ? 'Nobody was missed.'
      : `${grouped(day.missed)} ${day.missed === 1 ? 'problem' : 'problems'}.`
  const state = day.closedAt === null ? ' So far.' : ''
  return `${day.day}  ${[`${grouped(day.due)} due`, ...counts].join(', ')}. ${verdict}${state}`
}

/** Without the name of the person, which must not reach the log of a terminal. */
function lineText({ kind, reason, reasonText, ...line }: Line): string[] {
  const { userId, externalId, occasionType, occasionId, eventId, dueAt, expectedAt, goneAt } = line
  const parts = [
    `${kind}: person ${externalId ?? userId}`,
    occasionType,
    eventId === null ? `occasion ${occasionId}` : `event ${eventId}`,
    ...(dueAt === null ? [] : [`due ${brief(dueAt)}`]),
    ...(expectedAt === null || expectedAt === dueAt ? [] : [`expected ${brief(expectedAt)}`]),
    ...(goneAt === null ? [] : [`repaired ${brief(goneAt)}`]),
  ]
  return ['', parts.join(', '), `  ${reason}: ${reasonText}`]
}
