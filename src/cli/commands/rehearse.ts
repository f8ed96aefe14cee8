// `terce rehearse`: runs people through a period with the real engine and a simulated clock, and reports every outcome.
import { parseOutage, parseRange, type Span } from '../../rehearsal/range.ts'
import { seededDice } from '../../rehearsal/seeded-dice.ts'
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { print } from '../output/print.ts'
import { createProgress } from '../output/progress.ts'
import { reportJson, reportText } from '../output/rehearsal-report.ts'
import { addPeopleOptions, listPeople, type PeopleOptions } from '../people-options.ts'

type Options = PeopleOptions & { outage?: string; seed: string; json?: true }

const HELP = `
Examples:
  terce rehearse --csv people.csv
  terce rehearse --csv people.csv --from 2026-01-01 --to 2026-12-31 --outage 2026-12-15T00:00Z/PT6H
  RETRY=none terce rehearse --csv people.csv --outage 2026-12-15T00:00Z/PT6H

Uses the real engine and store with DELIVER_AT, RETRY, CATCH_UP_WINDOW and CONCURRENCY from the environment, and a
simulated clock and receiver: nothing is sent and no database is changed. The receiver accepts every message within
0.15 s; during the outage it refuses connections. The same seed gives the same run. All people must be born by the
first day. Failures are listed by line number, never by name.

Exit codes: 0 rehearsed, even if events failed; 1 failure; 2 wrong usage.`

export const addRehearse: AddCommand = (program, entry) => {
  addPeopleOptions(
    program.command('rehearse').description('simulate a year of deliveries, with an optional outage'),
  )
    .option('--outage <start/length>', 'when the receiver is down, such as 2026-12-15T00:00Z/PT6H')
    .option('--seed <number>', 'random seed: retry jitter, response times', '1')
    .option('--json', 'print the report as one JSON object')
    .addHelpText('after', HELP)
    .action((options: Options) => runRehearsal(options, entry))
}

async function runRehearsal(options: Options, { env, now }: Entry): Promise<void> {
  const { deliverAt, retryPolicy, lateness, concurrency, timezoneTable: table } = readConfig(env)
  const parsedRange = parseRange(options, now)
  if ('problem' in parsedRange) throw new ConfigError([parsedRange.problem])
  const range = parsedRange.span
  const outage = readOutage(options.outage, range)
  if (!/^\d{1,9}$/.test(options.seed)) {
    throw new ConfigError([`--seed ${options.seed} is not usable. Use a whole number, such as 1.`])
  }
  const people = await listPeople(options, { now: range.startsAt, table })
  const { rehearse } = await import('../../rehearsal/rehearse.ts')
  const showProgress = createProgress(process.stderr)
  const settings = { deliverAt, retryPolicy, lateness, concurrency }
  const dice = seededDice(Number(options.seed))
  const report = await rehearse({ people, range, outage, settings, table, dice }, (at) => {
    showProgress(
      (at - range.startsAt) / (range.endsAt - range.startsAt),
      new Date(at).toISOString().slice(0, 10),
    )
  })
  const context = { range, outage, retryPolicy, tzVersion: table.version }
  await print([options.json ? reportJson(report, context) : reportText(report, context)])
  if (report.unaccounted !== 0) {
    const what = `${report.unaccounted} of the due events have no outcome.`
    throw new Error(
      `${what} An event may still have been retried when its successor fell due: shorten RETRY.`,
    )
  }
}

function readOutage(text: string | undefined, range: Span): Span | null {
  if (text === undefined) return null
  const outage = parseOutage(text, range)
  if ('problem' in outage) throw new ConfigError([outage.problem])
  return outage.span
}
