// `terce simulate`: says what will be sent when, without sending anything.
import { Option } from 'commander'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { parseRange } from '../../rehearsal/range.ts'
import { scheduleOf } from '../../rehearsal/schedule.ts'
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { print } from '../output/print.ts'
import { jsonLines, tableLines } from '../output/schedule-lines.ts'
import { addPeopleOptions, listPeople, type PeopleOptions } from '../people-options.ts'

type Options = PeopleOptions & { at?: string; leapDay: keyof typeof LEAP_DAYS; json?: true }

const LEAP_DAYS = { 'march-1': 'MARCH_1', 'february-28': 'FEBRUARY_28' } as const

const HELP = `
Examples:
  terce simulate --person "1992-02-29 America/Vancouver" --from 2026-01-01 --to 2030-12-31
  terce simulate --csv people.csv
  terce simulate --csv people.csv --at 08:30 --json | grep CLOCK_GAP

Lines come in order of instant. Everybody is read and checked before the first line, and is held in memory;
what falls due is not: it is computed as it is printed, so many years need no more memory than one
(a heap of 64 MB is enough for 100,000 people). If a row is wrong, all that are wrong are named and nothing
is printed.

Exit codes: 0 done, 1 failed, 2 something asked for wrongly.`

export const addSimulate: AddCommand = (program, entry) => {
  addPeopleOptions(
    program.command('simulate').description('say what will be sent when, without sending anything'),
  )
    .option('--at <HH:MM>', 'the local time (default: DELIVER_AT, or 09:00)')
    .addOption(
      new Option('--leap-day <day>', 'where 29 February goes in a common year')
        .choices(Object.keys(LEAP_DAYS))
        .default('march-1'),
    )
    .option('--json', 'one JSON object a line instead of a table')
    .addHelpText('after', HELP)
    .action((options: Options) => simulate(options, entry))
}

async function simulate(options: Options, { env, now }: Entry): Promise<void> {
  const { DELIVER_AT, TERCE_TZDB } = env
  const { deliverAt, timezoneTable: table } = readConfig({ DELIVER_AT, TERCE_TZDB })
  const localTime = options.at ?? deliverAt
  if (parseLocalTime(localTime) === null) {
    throw new ConfigError([`--at ${localTime} is not usable. Give a time of day as HH:MM, such as 09:00.`])
  }
  const range = parseRange(options, now)
  if ('problem' in range) throw new ConfigError([range.problem])
  const people = await listPeople(options, { now, table })
  const leapDay = LEAP_DAYS[options.leapDay]
  const schedule = scheduleOf(people, range.span, { localTime, leapDay, table })
  await print(options.json ? jsonLines(schedule) : tableLines(schedule, people))
}
