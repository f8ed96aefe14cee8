// `terce events --follow`: polls the list of events, and prints each event once when it is settled, until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, components } from '../../client/client.ts'
import type { EventStatus } from '../../domain/events/event-status.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { limitOf, type OptionValues, picked } from './group.ts'
import { personOf } from './people.ts'

export type ListedEvent = components['schemas']['ListedEvent']

const POLL_MS = 2_000
/** How many events of a state are read at once. */
const MOST = 200
/** An event is stored shortly after its executedAt. */
const SLACK_MS = 5_000
/** The list is in order of due time, and a request looks through 10,000 events: those that are due later would hide the others. */
const AHEAD_MS = 3_600_000

/** Begins with the latest settled events. */
export async function followEvents(
  client: Client,
  given: OptionValues,
  print: (event: ListedEvent) => void,
): Promise<never> {
  const read = await readerOf(client, given)
  const seen = new Map<string, number>()
  // The reader of the pipe has closed it, as head does.
  process.stdout.once('error', () => process.exit())
  let latest = await read(0)
  let most = limitOf(given)
  for (let failing = false; ; await sleep(POLL_MS)) {
    const fresh = latest.filter(({ id }) => !seen.has(id))
    for (const event of fresh.slice(-most)) print(event)
    most = Number.POSITIVE_INFINITY
    for (const event of fresh) seen.set(event.id, endOf(event))
    const from = Math.max(SLACK_MS, ...seen.values()) - SLACK_MS
    for (const [id, at] of seen) if (at < from) seen.delete(id)
    try {
      latest = await read(from)
      failing = false
    } catch (error) {
      // It may pass, so it is reported once.
      if (!failing) console.error(`terce: ${(error as Error).message} Retrying.`)
      failing = true
    }
  }
}

const endOf = ({ executedAt }: ListedEvent) => Date.parse(executedAt!)

/** Reads the events that were settled at an instant or later, in the order in which they were settled. */
async function readerOf(client: Client, given: OptionValues) {
  const { status } = given
  if (status === 'PENDING' || status === 'PROCESSING')
    throw new ConfigError(['--follow prints settled events. Use --status COMPLETED or --status FAILED.'])
  const statuses = status === undefined ? (['COMPLETED', 'FAILED'] as const) : [status as EventStatus]
  const id = typeof given.person === 'string' ? (await personOf(client, given.person)).id : null
  return async (from: number): Promise<ListedEvent[]> => {
    const settledFrom = formatInstant(from)
    const dueBefore = formatInstant(Date.now() + AHEAD_MS)
    const found = { ...picked(given, ['type', 'reason']), settledFrom, dueBefore }
    const pages = await Promise.all(
      statuses.map((one) => {
        const query = { ...found, status: one, order: 'newest' as const, limit: MOST }
        return id === null
          ? client.get('/event', { query })
          : client.get('/user/{id}/event', { path: { id }, query })
      }),
    )
    return pages.flatMap(({ items }) => items).sort((a, b) => endOf(a) - endOf(b))
  }
}
