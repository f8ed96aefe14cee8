// `terce simulate`: previews what will be sent and when, without sending anything.
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

Lines are in order of time. All people are read and checked first, and kept in memory; the occurrences are
computed while they are printed, so many years need no more memory than one. If rows are invalid, each is
named and nothing is printed.

Exit codes: 0 success, 1 failure, 2 wrong usage.`

export const addSimulate: AddCommand = (program, entry) => {
  addPeopleOptions(
    program.command('simulate').description('preview what will be sent, without sending anything'),
  )
    .option('--at <HH:MM>', 'local delivery time (default: DELIVER_AT, or 09:00)')
    .addOption(
      new Option('--leap-day <day>', 'date for 29 February in non-leap years')
        .choices(Object.keys(LEAP_DAYS))
        .default('march-1'),
    )
    .option('--json', 'print one JSON object per line instead of a table')
    .addHelpText('after', HELP)
    .action((options: Options) => simulate(options, entry))
}

async function simulate(options: Options, { env, now }: Entry): Promise<void> {
  const { DELIVER_AT, TERCE_TZDB } = env
  const { deliverAt, timezoneTable: table } = readConfig({ DELIVER_AT, TERCE_TZDB })
  const localTime = options.at ?? deliverAt
  if (parseLocalTime(localTime) === null) {
    throw new ConfigError([`--at ${localTime} is not usable. Use HH:MM, such as 09:00.`])
  }
  const range = parseRange(options, now)
  if ('problem' in range) throw new ConfigError([range.problem])
  const people = await listPeople(options, { now, table })
  const leapDay = LEAP_DAYS[options.leapDay]
  const schedule = scheduleOf(people, range.span, { localTime, leapDay, table })
  await print(options.json ? jsonLines(schedule) : tableLines(schedule, people))
}
