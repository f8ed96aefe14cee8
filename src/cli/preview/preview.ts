// `terce preview`: lists what will be sent and when, without sending anything.
import { once } from 'node:events'
import { Option } from 'commander'
import { dueInOrder, firstDue, type PreviewedSlot } from '../../app/occasions/preview-people.ts'
import { newBirthday } from '../../app/users/create.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { print } from '../output/print.ts'
import { jsonLines, tableLines } from '../output/schedule-lines.ts'
import { grouped } from '../output/words.ts'
import { fromDatabase, fromFile, fromTexts } from './people.ts'
import { parsePeriod } from './period.ts'

type Options = {
  csv?: string
  person?: string[]
  from?: string
  to?: string
  at?: string
  leapDay?: keyof typeof LEAP_DAYS
  skipBadRows?: true
  json?: true
}

const LEAP_DAYS = { 'march-1': 'MARCH_1', 'february-28': 'FEBRUARY_28' } as const

const HELP = `
Examples:
  terce preview
  terce preview --csv people.csv
  terce preview --person "1992-02-29 America/Vancouver" --from 2026-01-01 --to 2030-12-31
  terce preview --csv people.csv --at 08:30 --json | grep CLOCK_GAP

Without --csv and --person it lists what is still to be sent to the people in the database of DATABASE_URL: every
occasion, and the reminders of tasks. --csv reads a file of terce import or of terce export, and previews the
birthdays. If rows are invalid, each is reported on standard error and nothing is printed; with --skip-bad-rows the
others are previewed. Lines are in order of time.

Exit codes: 0 success, 1 rows rejected or failure, 2 wrong usage.`

export const addPreview: AddCommand = (program, entry) => {
  program
    .command('preview')
    .description('list what will be sent, without sending anything')
    .option('--csv <file>', 'the people in a CSV file instead of the database; - for standard input')
    .option(
      '--person <"date timezone">',
      'date of birth and IANA timezone of a person; can be repeated',
      (text: string, before: string[] = []) => [...before, text],
    )
    .option('--from <day>', 'first day, YYYY-MM-DD in UTC (default: today)')
    .option('--to <day>', 'last day, inclusive (default: one year after the first)')
    .option('--at <HH:MM>', 'local delivery time of --csv and --person (default: DELIVER_AT, or 09:00)')
    .addOption(
      new Option(
        '--leap-day <day>',
        'date of --csv and --person for 29 February in non-leap years (default: march-1)',
      ).choices(Object.keys(LEAP_DAYS)),
    )
    .option('--skip-bad-rows', 'preview the valid rows of a file that has invalid ones')
    .option('--json', 'print one JSON object per line instead of a table')
    .addHelpText('after', HELP)
    .action((options: Options) => preview(options, entry))
}

async function preview(options: Options, { env, now }: Entry): Promise<void> {
  const { csv, person, skipBadRows = false } = options
  rejectCombinations(options)
  const isStored = csv === undefined && person === undefined
  const { DELIVER_AT, TERCE_TZDB } = env
  const config = readConfig(isStored ? env : { DELIVER_AT, TERCE_TZDB })
  const { timezoneTable: table } = config
  const period = parsePeriod(options, now)
  const birthday = {
    ...newBirthday({ deliverAt: readTime(options.at ?? config.deliverAt) }, { id: '', userId: '' }),
    leapDay: LEAP_DAYS[options.leapDay ?? 'march-1'],
  }
  const toParse = { birthday, now, table }
  const listed = isStored
    ? fromDatabase(config)
    : csv !== undefined
      ? fromFile(csv, toParse)
      : fromTexts(person!, toParse)
  // A list of people has no events yet, so its period may be in the past.
  const look = { ...period, now: isStored ? now : period.startsAt, table }
  const firsts: PreviewedSlot[] = []
  let [occasions, rejected] = [0, 0]
  const repeats = { equal: 0, different: 0 }
  for await (const one of listed) {
    if ('problems' in one) {
      rejected += 1
      for (const problem of one.problems) console.error(`terce: ${problem}`)
      if (process.stderr.writableNeedDrain) await once(process.stderr, 'drain')
      continue
    }
    if ('repeats' in one) {
      repeats[one.repeats] += 1
      continue
    }
    occasions += 1
    const due = firstDue(one, look)
    if (due !== null) firsts.push(due)
  }
  if (rejected > 0 && !skipBadRows)
    throw new Error(`${rowsOf(rejected)} rejected. Correct the file, or use --skip-bad-rows.`)
  if (rejected > 0) console.error(`terce: ${rowsOf(rejected)} skipped.`)
  if (repeats.equal + repeats.different > 0) console.error(`terce: ${repeatsText(repeats)}`)
  if (firsts.length === 0) {
    const days = [period.startsAt, period.endsAt - 1].map((at) => formatInstant(at).slice(0, 10))
    console.error(occasions === 0 ? 'There are no people.' : `Nothing is due from ${days.join(' to ')}.`)
    return
  }
  const due = dueInOrder(firsts, look)
  await print(options.json ? jsonLines(due, table) : tableLines(due, { firsts, table }))
}

function rejectCombinations({ csv, person, at, leapDay, skipBadRows }: Options): void {
  if (csv !== undefined && person !== undefined)
    throw new ConfigError(['Give either --csv or --person, not both.'])
  if (skipBadRows && csv === undefined) throw new ConfigError(['--skip-bad-rows needs --csv.'])
  if (csv === undefined && person === undefined && (at !== undefined || leapDay !== undefined)) {
    const why = 'the occasions in the database have their own'
    throw new ConfigError([`--at and --leap-day need --csv or --person: ${why}.`])
  }
}

function readTime(text: string): string {
  if (parseLocalTime(text) !== null) return text
  throw new ConfigError([`--at ${text} is not usable. Use HH:MM, such as 09:00.`])
}

function repeatsText({ equal, different }: { equal: number; different: number }): string {
  const count = equal + different
  const others = different === 0 ? '' : ` (${grouped(different)} with different values)`
  const [repeat, are] = count === 1 ? ['repeats', 'is'] : ['repeat', 'are']
  return `${rowsOf(count)} ${repeat} a person of an earlier row${others}, and ${are} not previewed.`
}

function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${grouped(count)} rows`
}
