// `terce replay`: sends failed events again, after saying how many there are.
import { createInterface } from 'node:readline/promises'
import type { Client, components } from '../../client/client.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { AddCommand } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { grouped } from '../output/rehearsal-report.ts'
import { addRemoteOptions, REMOTE_HELP, type Remote, type RemoteOptions, withRemote } from '../remote.ts'

type Options = RemoteOptions & {
  since: string
  reason?: string
  type?: string
  newKey?: true
  dryRun?: true
  yes?: true
  json?: true
}
type Filter = components['schemas']['Replays']
type Counts = { matched: number; replayed: number; skipped: number }

const HELP = `
Examples:
  terce replay --since 6h --dry-run
  terce replay --since 2026-12-15T09:00:00Z --reason RETRIES_EXHAUSTED
  terce replay --since 6h --type BIRTHDAY --yes --json

A failed event stays as it is; a new one, due at once, sends the same again. It carries the same key and content, so that
a receiver which has it already takes it for a repetition; with --new-key it is news. What is under way again, or was
delivered since, is left out. Without a terminal to ask on, nothing is done unless --yes is given.
`

export const addReplay: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('replay').description('send failed events again'))
    .requiredOption('--since <when>', 'those that failed since then: 6h, 3d, or an instant')
    .option('--reason <text>', 'only those whose reason begins so')
    .option('--type <type>', 'only those of this kind, such as BIRTHDAY')
    .option('--new-key', 'under new keys, and rendered afresh')
    .option('--dry-run', 'only count')
    .option('--yes', 'do not ask')
    .option('--json', 'one JSON object')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((options: Options) => {
      const filter = filterOf(options, entry.now)
      const isAsking = options.dryRun === undefined && options.yes === undefined
      if (isAsking && !process.stdin.isTTY)
        throw new ConfigError(['There is no terminal to ask on. Give --yes to do it, or --dry-run to count.'])
      return withRemote(options, entry, (remote) => run(remote, filter, options))
    })
}

function filterOf({ since, reason, type, newKey }: Options, now: number): Filter {
  const ageMs = parseShortDuration(since)
  const from = ageMs === undefined ? Date.parse(since) : now - ageMs
  // Date.parse takes a day, or a time of nowhere in particular, for one by the clock of this machine.
  if (Number.isNaN(from) || (ageMs === undefined && !/(Z|[+-]\d\d:\d\d)$/.test(since)))
    throw new ConfigError([
      `--since ${since} is not usable. Give a time such as 6h or 3d, or an instant such as 2026-12-15T09:00:00Z.`,
    ])
  const failedFrom = formatInstant(from)
  return { failedFrom, ...(reason && { reason }), ...(type && { type }), ...(newKey && { newKey }) }
}

async function run({ client, where }: Remote, asked: Filter, options: Options): Promise<void> {
  const { dryRun, yes, json } = options
  // What fails from now on is not part of what was counted.
  const filter = { ...asked, failedBefore: formatInstant(Date.now()) }
  const found = await replayAll(client, { ...filter, dryRun: true, limit: COUNTED }, () => {})
  const say = json ? () => {} : (text: string) => console.log(text)
  if (dryRun || found.matched === 0) {
    if (json) console.log(JSON.stringify({ ...found, dryRun: dryRun === true }))
    return say(`${events(found.matched)} failed since ${asked.failedFrom}.`)
  }
  if (
    !yes &&
    !(await agreed(
      `Send ${events(found.matched)} of ${where} again that failed since ${asked.failedFrom}? [y/N] `,
    ))
  )
    return console.error('Nothing was done.')
  const progress = createProgress(process.stderr)
  const done = await replayAll(client, { ...filter, limit: STEP }, ({ matched, replayed }) =>
    progress(Math.min(1, matched / found.matched), `${events(replayed)} planned`),
  )
  if (json) console.log(JSON.stringify({ ...done, dryRun: false }))
  say(`${events(done.replayed)} planned again, due at once; ${grouped(done.skipped)} sent again before.`)
}

const COUNTED = 10_000
const STEP = 1_000

async function replayAll(client: Client, from: Filter, onStep: (counts: Counts) => void): Promise<Counts> {
  const counts = { matched: 0, replayed: 0, skipped: 0 }
  for (let next: Filter | null = from; next !== null; ) {
    const answer: Counts & { next: Filter | null } = await client.post('/event/replay', { body: next })
    counts.matched += answer.matched
    counts.replayed += answer.replayed
    counts.skipped += answer.skipped
    onStep(counts)
    next = answer.next
  }
  return counts
}

async function agreed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stopping = new AbortController()
  terminal.once('SIGINT', () => stopping.abort())
  try {
    return /^y(es)?$/i.test((await terminal.question(question, { signal: stopping.signal })).trim())
  } catch (error) {
    if (stopping.signal.aborted) return false
    throw error
  } finally {
    terminal.close()
  }
}

const events = (count: number) => `${grouped(count)} ${count === 1 ? 'event' : 'events'}`
