// `terce replay`: counts failed events, asks, and sends them again.
import type { Client, components } from '../../client/client.ts'
import { formatInstant, parseInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { AddCommand } from '../entry.ts'
import { confirmed } from '../output/confirm.ts'
import { createProgress } from '../output/progress.ts'
import { countEvents, grouped } from '../output/words.ts'
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
type Parts = Omit<components['schemas']['ReplayParts'], 'pastCutOff'> & { pastCutOff: number }
type Counts = { matched: number; replayed: number; skipped: number }
type Found = Counts & { parts: Parts }

const HELP = `
Examples:
  terce replay --since 6h --dry-run
  terce replay --since 2026-12-15T09:00:00Z --reason RETRIES_EXHAUSTED
  terce replay --since 6h --type BIRTHDAY --yes --json

A failed event does not change; a new event, due now, sends its message again with the same idempotency key and content, so
that a receiver which already has it can ignore the duplicate. With --new-key it is a new message. Events that are already
being replayed or were delivered since are skipped. Without a terminal, --yes is required.
`

export const addReplay: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('replay').description('send failed events again'))
    .requiredOption('--since <when>', 'events that failed since then: 6h, 3d, or an instant')
    .option('--reason <text>', 'only events whose failure reason starts with this text')
    .option('--type <type>', 'only events of this type, such as BIRTHDAY')
    .option('--new-key', 'use new idempotency keys and render the messages again')
    .option('--dry-run', 'only count, send nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((options: Options) => {
      const filter = filterOf(options, entry.now)
      const isAsking = options.dryRun === undefined && options.yes === undefined
      if (isAsking && !process.stdin.isTTY)
        throw new ConfigError([
          'No terminal to ask for confirmation. Use --yes to send, or --dry-run to count.',
        ])
      return withRemote(options, entry, (remote) => run(remote, filter, options))
    })
}

function filterOf({ since, reason, type, newKey }: Options, now: number): Filter {
  const ageMs = parseShortDuration(since)
  const from = ageMs === undefined ? parseInstant(since) : now - ageMs
  if (from === null)
    throw new ConfigError([
      `--since ${since} is not usable. Use a duration such as 6h or 3d, or an instant such as 2026-12-15T09:00:00Z.`,
    ])
  const failedFrom = formatInstant(from)
  return { failedFrom, ...(reason && { reason }), ...(type && { type }), ...(newKey && { newKey }) }
}

async function run({ client, where }: Remote, asked: Filter, options: Options): Promise<void> {
  const { dryRun, yes, json } = options
  // Fixes the end of the period, so that the same events are counted and replayed.
  const filter = { ...asked, failedBefore: formatInstant(Date.now()) }
  const found = await countAll(client, { ...filter, dryRun: true, limit: COUNTED })
  const sendable = found.parts.now + found.parts.pastCutOff
  const say = json ? () => {} : (text: string) => console.log(text)
  if (dryRun || sendable === 0) {
    const { matched, replayed } = found
    const result = dryRun ? { ...found, dryRun } : { matched, replayed, skipped: matched, dryRun: false }
    if (json) console.log(JSON.stringify(result))
    return say(foundText(found, asked.failedFrom!))
  }
  if (
    !yes &&
    !(await confirmed(
      `Replay ${countEvents(sendable)} of ${where} that failed since ${asked.failedFrom}? [y/N] `,
    ))
  )
    return console.error('Cancelled.')
  const progress = createProgress(process.stderr)
  const done = await replayAll(client, { ...filter, limit: STEP }, ({ matched, replayed }) =>
    progress(Math.min(1, matched / found.matched), `${countEvents(replayed)} scheduled`, matched),
  )
  if (json) console.log(JSON.stringify({ ...done, dryRun: false }))
  say(`${countEvents(done.replayed)} scheduled for replay, ${grouped(done.skipped)} skipped.`)
}

type Page = Counts & { parts: components['schemas']['ReplayParts'] | null; nextCursor: string | null }

/** `5 events failed since …: 3 to send, 2 delivered since.` */
function foundText({ matched, parts }: Found, from: string): string {
  const sendable = parts.now + parts.pastCutOff
  const rest = [
    [parts.delivered, 'delivered since'],
    [parts.inFlight, 'being replayed'],
    [parts.repeated, 'failed more than once'],
  ] as const
  const others = rest.flatMap(([n, text]) => (n === 0 ? [] : [`${grouped(n)} ${text}`]))
  const failed = `${countEvents(matched)} failed since ${from}`
  return matched === 0
    ? `${failed}.`
    : `${failed}: ${[`${grouped(sendable)} to send`, ...others].join(', ')}.`
}

async function countAll(client: Client, from: Filter): Promise<Found> {
  const parts = { now: 0, pastCutOff: 0, inFlight: 0, delivered: 0, repeated: 0 }
  const counts = await replayAll(client, from, (_, page) => {
    if (page === null) return
    for (const key of ['now', 'inFlight', 'delivered', 'repeated'] as const) parts[key] += page[key]
    for (const { count } of page.pastCutOff) parts.pastCutOff += count
  })
  return { ...counts, parts }
}

const COUNTED = 10_000
const STEP = 1_000

async function replayAll(
  client: Client,
  from: Filter,
  onStep: (counts: Counts, parts: components['schemas']['ReplayParts'] | null) => void,
): Promise<Counts> {
  const counts = { matched: 0, replayed: 0, skipped: 0 }
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page = await client.post('/event/replay', { body: { ...from, ...(cursor && { cursor }) } })
    counts.matched += page.matched
    counts.replayed += page.replayed
    counts.skipped += page.skipped
    onStep(counts, page.parts)
    cursor = page.nextCursor
  }
  return counts
}
