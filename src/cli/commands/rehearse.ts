// `terce rehearse`: runs people through a span of time with the real engine, and says what became of every event.
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
  RETRY=1m,10m,1h,6h terce rehearse --csv people.csv --outage 2026-12-15T00:00Z/PT6H

The engine and the store are the product's own, with DELIVER_AT, RETRY, CATCH_UP_WINDOW and CONCURRENCY from
the environment. The clock is not real, and neither is the receiver: nothing is sent, no database is touched.
The receiver takes every message within 0.15 s; during the outage it refuses connections. The same seed gives
the same run. Everybody must have been born by the first day. Who failed is told by line, never by name.

Exit codes: 0 rehearsed, whatever became of the events; 1 failed; 2 something asked for wrongly.`

export const addRehearse: AddCommand = (program, entry) => {
  addPeopleOptions(
    program.command('rehearse').description('run people through a year, with an outage if you like'),
  )
    .option('--outage <start/length>', 'when the receiver is down, such as 2026-12-15T00:00Z/PT6H')
    .option('--seed <number>', 'for the dice: the spread of retries, the time of answers', '1')
    .option('--json', 'the report as one JSON object')
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
    throw new ConfigError([`--seed ${options.seed} is not usable. Give a whole number, such as 1.`])
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
    const what = `${report.unaccounted} of the events due came to no end.`
    throw new Error(`${what} Was one still being retried when the next fell due? Shorten RETRY.`)
  }
}

function readOutage(text: string | undefined, range: Span): Span | null {
  if (text === undefined) return null
  const outage = parseOutage(text, range)
  if ('problem' in outage) throw new ConfigError([outage.problem])
  return outage.span
}
