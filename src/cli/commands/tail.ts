// `terce tail`: prints a line for each delivery outcome and for each destination that is down or held, until it is stopped.
import { InvalidArgumentError } from 'commander'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { AddCommand } from '../entry.ts'
import { paintFor } from '../output/colour.ts'
import { createNews, type News, newsLine, type SeenEvent } from '../output/news.ts'
import { createOutageNews, outageLine } from '../output/outages.ts'
import { lookEverySecond, untilStopped } from '../output/watch.ts'
import { grouped } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type Remote, type RemoteOptions, withRemote } from '../remote.ts'

type Options = RemoteOptions & { failed?: true; lines: number; follow: boolean; json?: true }

const HELP = `
Prints every failure, starting with the last hour. Of the deliveries it reads the latest 50 once a second; in a spike the
others are printed as a count. A destination that is down or held has a line when it is found so, one a minute, and one when it
is up again (not with --failed). Lines contain no names and no message text; run terce explain for details of an event.
`

export const addTail: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('tail').description('show deliveries as they happen'))
    .option('--failed', 'only final failures')
    .option('-n, --lines <number>', 'number of earlier lines to show', parseLines, 10)
    .option('--no-follow', 'print the earlier lines and exit')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((options: Options) =>
      withRemote(options, entry, (remote) =>
        untilStopped(async (signal) => {
          const look = createLook(remote, options)
          if (!options.follow) return look()
          const onError = ({ message }: Error) => console.error(`terce: ${message} Retrying.`)
          await lookEverySecond(look, { signal, onError })
        }),
      ),
    )
}

const HOUR_MS = 3_600_000
/** An event is stored shortly after its executedAt. */
const SLACK_MS = 5_000

/** Prints the outcomes since the previous look; the first look prints the latest earlier ones. */
function createLook({ client }: Remote, { failed: onlyFailed, lines, json }: Options): () => Promise<void> {
  const look = { isTTY: process.stdout.isTTY === true, paint: paintFor(process.stdout) }
  const print = (news: News) => console.log(json ? JSON.stringify(news) : newsLine(news, look))
  const newsOf = createNews()
  const outageNewsOf = createOutageNews()
  let last: { at: number; sent: number } | null = null
  return async () => {
    const { now, recent, counts, stoppedChannels } = await client.get('/today')
    const settledFrom = formatInstant(last === null ? Date.parse(now) - HOUR_MS : last.at - SLACK_MS)
    const seen: SeenEvent[] = onlyFailed ? [] : recent
    const failures = client.each('/event', { query: { status: 'FAILED', settledFrom, limit: 200 } })
    for await (const failure of failures) seen.push(failure)
    const news = newsOf(seen, now)
    for (const one of last === null ? news.slice(news.length - Math.min(lines, news.length)) : news)
      print(one)
    const shown = news.filter(({ outcome }) => outcome === 'delivered').length
    const more = last === null || onlyFailed ? 0 : counts.sent24h - last.sent - shown
    if (more > 0 && !json) console.log(`… about ${grouped(more)} more delivered`)
    for (const outage of onlyFailed ? [] : outageNewsOf(stoppedChannels, now))
      console.log(json ? JSON.stringify(outage) : outageLine(outage, look.paint))
    last = { at: Date.parse(now), sent: counts.sent24h }
  }
}

function parseLines(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Use a number from 0 to 9999.')
  return Number(text)
}
