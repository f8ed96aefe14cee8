// Runs many scenarios, one per seed, and stops at the first that breaks an invariant.
import { parseArgs } from 'node:util'
import { generate } from './generate/generate.ts'
import { recordSeeds } from './mistakes/find.ts'
import { MISTAKES } from './mistakes/mistakes.ts'
import { describeRun } from './record/describe.ts'
import { add, NOTHING, type Tally, tally } from './record/tally.ts'
import { runScenario } from './run.ts'
import { shrink } from './shrink.ts'

const HELP = `npm run simulate -- [options]
  Runs simulated years of Terce under a virtual clock, one scenario per seed, and checks every invariant after every step.

  --seeds N         how many scenarios (200)
  --from N          the first seed (1)
  --seed N          this one alone, with its trace
  --mistake NAME    with a planted mistake: ${MISTAKES.map(({ name }) => name).join(', ')}
  --record-seeds    writes the seeds that find each planted mistake, which the tests try first, and ends
  --json            the summary as one line of JSON
  --help            this text

Exits with 0 if all invariants held, with 1 and the shrunk scenario if one was broken, with 2 on bad usage.
`

type Options = {
  seeds: number
  from: number
  mistake: (typeof MISTAKES)[number] | null
  verbose: boolean
  json: boolean
  recordSeeds: boolean
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  try {
    const options = readOptions(args)
    if (!options.recordSeeds) return await simulate(options)
    await recordSeeds(say)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message} See --help.\n`)
    return 2
  }
}

class UsageError extends Error {}

function readOptions(args: readonly string[]): Options {
  const values = parse(args)
  const whole = (name: 'seeds' | 'from' | 'seed', least: number): number => {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < least || number > 0xffff_ffff)
      throw new UsageError(`--${name} "${values[name]}" is not a whole number of at least ${least}.`)
    return number
  }
  const mistake = values.mistake === undefined ? null : MISTAKES.find(({ name }) => name === values.mistake)
  if (mistake === undefined) throw new UsageError(`Unknown mistake "${values.mistake}".`)
  const verbose = values.seed !== undefined
  return {
    seeds: verbose ? 1 : whole('seeds', 1),
    from: verbose ? whole('seed', 0) : whole('from', 0),
    mistake,
    verbose,
    json: values.json,
    recordSeeds: values['record-seeds'],
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string', default: '200' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        mistake: { type: 'string' },
        json: { type: 'boolean', default: false },
        'record-seeds': { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function simulate({ seeds, from, mistake, verbose, json }: Options): Promise<number> {
  const started = performance.now()
  let sum = NOTHING
  for (let seed = from; seed < from + seeds; seed++) {
    const scenario = generate(seed)
    const run = await runScenario(scenario, mistake)
    sum = add(sum, tally(run))
    if (run.violation !== null) {
      clearProgress()
      const shortest = await runScenario(
        await shrink(scenario, (candidate) => runScenario(candidate, mistake)),
        mistake,
      )
      say(`Seed ${seed} breaks an invariant. The shrunk scenario and its trace:`, ...describeRun(shortest))
      say(`Replay: npm run simulate -- --seed ${seed}${mistake === null ? '' : ` --mistake ${mistake.name}`}`)
      return 1
    }
    if (verbose) say(...describeRun(run))
    else showProgress(sum, seeds)
  }
  clearProgress()
  const seconds = (performance.now() - started) / 1000
  const rounded = { ...sum, personYears: Math.round(sum.personYears) }
  const summary = { ...rounded, seconds, personYearsPerSecond: Math.round(sum.personYears / seconds) }
  if (json) say(JSON.stringify(summary))
  else say(...describe(summary))
  return 0
}

function describe(sum: Tally & { seconds: number; personYearsPerSecond: number }): string[] {
  return [
    `${sum.seeds} scenarios, every invariant held.`,
    `${sum.personYears} person-years in ${sum.seconds.toFixed(1)} s: ${sum.personYearsPerSecond} a second.`,
    `${sum.events} events, ${sum.completed} completed, ${sum.failed} failed, ${sum.replays} replays; ${sum.edits} edits.`,
    `${sum.unsendable} failed without an address or a text, ${sum.cutOff} after their cut-off, ${sum.missed} too late; ` +
      `${sum.stoppedChannels} channels stopped, ${sum.released} attempts that used no retry.`,
    `${sum.arrivals} arrivals, ${sum.others} for other occasions than birthdays (${sum.reminders} reminders), ${sum.belated} belated, ${sum.mails} by e-mail, ${sum.handled} handled and ${sum.unhandled} failed in handlers, ${sum.repeats} repeated under a key already accepted; ` +
      `${sum.texts} template changes; ${sum.paused} occasions paused, ` +
      `${sum.replanned} events replanned by a newer timezone table.`,
    `${sum.crashes} crashes, ${sum.pauses} pauses, ${sum.stops} stops, ${sum.failures} failed calls, ` +
      `${sum.stale} stale settlements.`,
    `${sum.messages} queue messages, ${sum.redelivered} redelivered, ${sum.disturbed} lost, duplicated, delayed or rejected, ` +
      `${sum.deadLetters} dead letters.`,
  ]
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function showProgress({ seeds: done }: Tally, of: number): void {
  if (process.stderr.isTTY && done % 10 === 0) process.stderr.write(`\r${done} of ${of} scenarios`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

process.exitCode = await main(process.argv.slice(2))
