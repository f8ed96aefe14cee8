// Lives many histories, one per seed, and stops at the first that breaks a promise.
import { parseArgs } from 'node:util'
import { generate } from './generate/generate.ts'
import { BUGS } from './mistakes/mistakes.ts'
import { describeHistory } from './record/describe.ts'
import { add, NOTHING, type Tally, tally } from './record/tally.ts'
import { live } from './run.ts'
import { shrink } from './shrink.ts'

const HELP = `npm run simulate -- [options]
  Lives whole histories of Terce under a virtual clock, one per seed, and checks every promise at every step.

  --seeds N   how many histories (200)
  --from N    the first seed (1)
  --seed N    this one alone, told in full
  --bug NAME  with a mistake built in: ${BUGS.map(({ name }) => name).join(', ')}
  --json      the summary as one line of JSON
  --help      this text

Ends with 0 if all promises held, 1 with the shortest history found if one was broken, 2 on bad usage.
`

type Options = {
  seeds: number
  from: number
  bug: (typeof BUGS)[number] | null
  tell: boolean
  json: boolean
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  try {
    return await simulate(readOptions(args))
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
      throw new UsageError(`--${name} "${values[name]}" is no whole number from ${least} on.`)
    return number
  }
  const bug = values.bug === undefined ? null : BUGS.find(({ name }) => name === values.bug)
  if (bug === undefined) throw new UsageError(`There is no bug "${values.bug}".`)
  const tell = values.seed !== undefined
  return {
    seeds: tell ? 1 : whole('seeds', 1),
    from: tell ? whole('seed', 0) : whole('from', 0),
    bug,
    tell,
    json: values.json,
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
        bug: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function simulate({ seeds, from, bug, tell, json }: Options): Promise<number> {
  const started = performance.now()
  let sum = NOTHING
  for (let seed = from; seed < from + seeds; seed++) {
    const scenario = generate(seed)
    const history = await live(scenario, bug)
    sum = add(sum, tally(history))
    if (history.violation !== null) {
      clearProgress()
      const shortest = await live(await shrink(scenario, (candidate) => live(candidate, bug)), bug)
      say(
        `Seed ${seed} breaks a promise. The shortest history found that breaks it:`,
        ...describeHistory(shortest),
      )
      say(`Replay: npm run simulate -- --seed ${seed}${bug === null ? '' : ` --bug ${bug.name}`}`)
      return 1
    }
    if (tell) say(...describeHistory(history))
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
    `${sum.seeds} histories, every promise held.`,
    `${sum.personYears} person-years in ${sum.seconds.toFixed(1)} s: ${sum.personYearsPerSecond} a second.`,
    `${sum.events} events, ${sum.completed} completed, ${sum.failed} failed, ${sum.replays} replays; ${sum.edits} edits.`,
    `${sum.unsendable} failed for want of an address or a text, ${sum.cutOff} at their last hour, ${sum.missed} too late, ` +
      `${sum.switchedOff} with their channel; ${sum.stoppedChannels} channels stopped, ${sum.parked} attempts did not count.`,
    `${sum.arrivals} arrivals, ${sum.others} for other occasions than birthdays (${sum.reminders} of tasks), ${sum.belated} belated, ${sum.mails} by e-mail, ${sum.repeats} repeats under a key already accepted; ` +
      `${sum.texts} changes of texts; ${sum.paused} pauses of occasions, ` +
      `${sum.replanned} events of places with other rules.`,
    `${sum.crashes} crashes, ${sum.pauses} pauses, ${sum.stops} stops, ${sum.failures} failed calls, ` +
      `${sum.stale} refused writes of workers that had lost their events.`,
    `${sum.messages} messages by a queue, ${sum.again} of them not for the first time, ${sum.astray} gone astray, ` +
      `${sum.deadLetters} dead letters.`,
  ]
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function showProgress({ seeds: done }: Tally, of: number): void {
  if (process.stderr.isTTY && done % 10 === 0) process.stderr.write(`\r${done} of ${of} histories`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

process.exitCode = await main(process.argv.slice(2))
