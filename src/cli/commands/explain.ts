// `terce explain`: why an event is due when it is, and its history.
import type { Client, components } from '../../client/client.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { brief } from '../output/schedule-lines.ts'
import { isShortId, shortIds } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Explanation = components['schemas']['Explanation']

export const addExplain: AddCommand = (program, entry) => {
  addRemoteOptions(
    program
      .command('explain <event>')
      .description('explain when and why an event is due, and show its history'),
  )
    .option('--json', 'print one JSON object')
    .addHelpText('after', REMOTE_HELP)
    .action(async (event: string, options: RemoteOptions & { json?: true }) => {
      const explanation = await withRemote(options, entry, async ({ client }) => {
        const id = isShortId(event) ? await findRecent(client, event) : parseEventId(event)
        return client.get('/event/{id}/explain', { path: { id } })
      })
      console.log(options.json ? JSON.stringify(explanation) : explanationText(explanation))
    })
}

const DAY_MS = 86_400_000
const MAX_FAILURES = 5_000

/** The event with a short id, as `terce tail` prints it at a terminal: of the latest ones, and of the failures of a day. */
async function findRecent(client: Client, short: string): Promise<string> {
  const { now, recent } = await client.get('/today')
  const latest = recent.find(({ id }) => shortIds(id) === short)
  if (latest !== undefined) return latest.id
  const settledFrom = formatInstant(Date.parse(now) - DAY_MS)
  let read = 0
  for await (const { id } of client.each('/event', {
    query: { status: 'FAILED', settledFrom, limit: 200 },
  })) {
    if (shortIds(id) === short) return id
    if (++read === MAX_FAILURES) break
  }
  throw new ConfigError([
    `No recent event has the short id ${short}. Give the whole id: terce tail --json prints it.`,
  ])
}

function parseEventId(text: string): string {
  const id = parseUuid(text)
  if (id === null)
    throw new ConfigError([`${text.slice(0, 60)} is not an event id. Run terce tail to see some.`])
  return id
}

function explanationText({ summary, instant, oddities, history }: Explanation): string {
  const { utc, local, timezone, rule, why } = instant
  return [
    summary,
    '',
    `due   ${brief(local)} in ${timezone}, ${brief(utc)}`,
    `rule  ${rule}`,
    `why   ${why}`,
    ...oddities.map(({ code, text }) => `note  ${code}: ${text}`),
    '',
    ...history.map(({ at, text }) => `${at}  ${text}`),
  ].join('\n')
}
