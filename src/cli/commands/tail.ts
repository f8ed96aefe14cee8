// `terce tail`: deliveries as they end, a line each, until it is stopped.
import { InvalidArgumentError } from 'commander'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { AddCommand } from '../entry.ts'
import { createNews, type News, newsLine, type Seen } from '../output/news.ts'
import { grouped } from '../output/rehearsal-report.ts'
import { lookEverySecond, untilStopped } from '../output/watch.ts'
import { addRemoteOptions, REMOTE_HELP, type Remote, type RemoteOptions, withRemote } from '../remote.ts'

type Options = RemoteOptions & { failed?: true; lines: number; follow: boolean; json?: true }

const HELP = `
Failures are all told, those of the last hour to begin with. Of deliveries it sees the latest fifty, once a second: in a
spike the others are told as a number. A line has no name in it and no message; terce explain tells more of an event.
`

export const addTail: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('tail').description('show deliveries as they end, until it is stopped'))
    .option('--failed', 'only what failed for good')
    .option('-n, --lines <number>', 'so many of those before', parseLines, 10)
    .option('--no-follow', 'only those before')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((options: Options) =>
      withRemote(options, entry, (remote) =>
        untilStopped(async (signal) => {
          const look = createLook(remote, options)
          if (!options.follow) return look()
          const onTrouble = ({ message }: Error) => console.error(`terce: ${message} Trying again.`)
          await lookEverySecond(look, { signal, onTrouble })
        }),
      ),
    )
}

const HOUR_MS = 3_600_000
/** An end is written a moment after the instant that it bears. */
const SLACK_MS = 5_000

/** Prints what is new since the last look; the first one begins with what was before. */
function createLook({ client }: Remote, { failed: onlyFailed, lines, json }: Options): () => Promise<void> {
  const print = (news: News) => console.log(json ? JSON.stringify(news) : newsLine(news))
  const newsOf = createNews()
  let last: { at: number; sent: number } | null = null
  return async () => {
    const { now, recent, counts } = await client.get('/today')
    const settledFrom = formatInstant(last === null ? Date.parse(now) - HOUR_MS : last.at - SLACK_MS)
    const seen: Seen[] = onlyFailed ? [] : recent
    const failures = client.each('/event', { query: { status: 'FAILED', settledFrom, limit: 200 } })
    for await (const failure of failures) seen.push(failure)
    const news = newsOf(seen, now)
    for (const one of last === null ? news.slice(news.length - Math.min(lines, news.length)) : news)
      print(one)
    const shown = news.filter(({ outcome }) => outcome === 'delivered').length
    const more = last === null || onlyFailed ? 0 : counts.sent24h - last.sent - shown
    if (more > 0 && !json) console.log(`… and some ${grouped(more)} more delivered`)
    last = { at: Date.parse(now), sent: counts.sent24h }
  }
}

function parseLines(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number from 0 to 9999.')
  return Number(text)
}
