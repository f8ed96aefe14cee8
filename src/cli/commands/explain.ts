// `terce explain`: why an event is due when it is, and its history; or the next message of an occasion.
import { type Client, type components, TerceError } from '../../client/client.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { brief } from '../output/schedule-lines.ts'
import { isShortId, shortIds } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Explanation = components['schemas']['Explanation']
type OfOccasion = components['schemas']['OccasionExplanation']

export const addExplain: AddCommand = (program, entry) => {
  addRemoteOptions(
    program
      .command('explain <id>')
      .description('explain when and why an event or an occasion is due, and show its history'),
  )
    .option('--json', 'print one JSON object')
    .addHelpText('after', REMOTE_HELP)
    .action(async (text: string, options: RemoteOptions & { json?: true }) => {
      const explained = await withRemote(options, entry, ({ client }) => explanationOf(client, text))
      console.log(options.json ? JSON.stringify(explained.json) : explained.text)
    })
}

/** `text` is the id of an event or an occasion, or the short id of a recent event. */
export async function explanationOf(client: Client, text: string): Promise<{ json: object; text: string }> {
  const json = await explain(client, isShortId(text) ? await findRecent(client, text) : parseId(text))
  return { json, text: 'occasion' in json ? occasionText(json) : eventText(json) }
}

async function explain(client: Client, id: string): Promise<Explanation | OfOccasion> {
  try {
    return await client.get('/event/{id}/explain', { path: { id } })
  } catch (error) {
    if (!isMissing(error)) throw error
    const found = await client.get('/occasion/{id}/explain', { path: { id } }).catch((other: unknown) => {
      throw isMissing(other) ? error : other
    })
    return found
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof TerceError && /^(EVENT|OCCASION)_NOT_FOUND$/.test(error.code)
}

const DAY_MS = 86_400_000
const MAX_FAILURES = 5_000

/** Finds an event by the short id that log lines at a terminal have: among the latest events, then among the failures of the last day. */
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
    `No recent event has the short id ${short}. Give the whole id: terce events prints it.`,
  ])
}

function parseId(text: string): string {
  const id = parseUuid(text)
  if (id === null)
    throw new ConfigError([
      `${text.slice(0, 60)} is not the id of an event or an occasion. Run terce events to see some.`,
    ])
  return id
}

function eventText({ summary, instant, notes, history }: Explanation): string {
  const { utc, local, timezone, rule, why } = instant
  return [
    summary,
    '',
    `due   ${brief(local)} in ${timezone}, ${brief(utc)}`,
    `rule  ${rule}`,
    `why   ${why}`,
    ...notes.map(({ code, text }) => `note  ${code}: ${text}`),
    '',
    ...history.map(({ at, text }) => `${at}  ${text}`),
  ].join('\n')
}

function occasionText({ summary, rule, timezone, occasion }: OfOccasion): string {
  const { userId, externalId, next, nextReason } = occasion
  return [
    summary,
    '',
    `person  ${externalId ?? userId}, ${timezone}`,
    `rule    ${rule}`,
    `next    ${next === null ? nextReason : `event ${next.eventId}, due ${brief(next.targetTimestampUTC)}`}`,
  ].join('\n')
}
