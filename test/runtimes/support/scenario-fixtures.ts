// Fixtures of the scenario: a day, a receiver with scripted responses, and placeholders for values that differ between runs.
import { verify } from '../../../src/receiver/receiver.ts'
import { SECRET } from '../../channels/webhook/support/fixtures.ts'
import { zoneAt } from '../../support/zone-at.ts'
import { startSink } from './sink.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A timezone where it is about noon: past nine, and far from midnight. All homes use the same one. */
export type Day = { zone: string; offsetMs: number; today: string; weekday: string; taskDueAt: string }

export function noonSomewhere(now: number): Day {
  const hours = 12 - new Date(now).getUTCHours()
  const offsetMs = hours * HOUR_MS
  const local = new Date(now + offsetMs)
  return {
    zone: zoneAt(hours),
    offsetMs,
    today: local.toISOString().slice(0, 10),
    weekday: ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][local.getUTCDay()]!,
    taskDueAt: new Date(Math.ceil((now + 3 * HOUR_MS) / 1000) * 1000).toISOString(),
  }
}

/** The date this many days later. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** The same day in a leap year, which has every date. */
export function bornOn({ today }: Day, daysLater = 0): string {
  return `1988-${new Date(Date.parse(today) + daysLater * DAY_MS).toISOString().slice(5, 10)}`
}

export type Post = {
  key: string
  body: string
  message: Record<string, unknown>
  /** True if it is signed with the secret and for its key. */
  verified: boolean
  at: number
}

export type Receiver = {
  url: string
  secret: string
  /** The status codes of its next responses about this person; 200 when the list is empty. */
  answer(person: string, ...statuses: number[]): void
  postsAbout(person: string): Post[]
  forget(person: string): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  let posts: Post[] = []
  const statuses = new Map<string, number[]>()
  const sink = await startSink(async (response, { headers, body, key, at }) => {
    const verification = await verify({ headers, body, secrets: [SECRET], now: at })
    const verified = verification.kind === 'verified' && verification.key === key
    const message = JSON.parse(body)
    posts.push({ key, body, message, verified, at })
    const told = [...statuses].find(([person]) => message.message.includes(person))
    response.writeHead(told?.[1].shift() ?? 200).end()
  })
  return {
    url: sink.url,
    secret: SECRET,
    answer: (person, ...given) => void statuses.set(person, given),
    postsAbout: (person) => posts.filter(({ body }) => body.includes(person)),
    forget: (person) => {
      posts = posts.filter(({ body }) => !body.includes(person))
    },
    close: sink.close,
  }
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const KEY = /event-[0-9a-f]{32}/g
const RECEIVER = /127\.0\.0\.1:\d+/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g

const WORKER_NAMES = new Set(['workerId', 'workerRunId'])

/** Replaces the values that differ between runs: ids, keys, instants, worker names, ports and delays. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') {
    const bare = value
      .replace(/claimed by \S+ at/, 'claimed by a worker at')
      .replace(RECEIVER, 'the receiver')
    return bare.replace(KEY, 'a key').replace(UUID, 'an id').replace(INSTANT, 'an instant')
  }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'lateBySeconds')
  return Object.fromEntries(
    kept.map(([name, one]) => [name, WORKER_NAMES.has(name) ? 'a worker' : plain(one)]),
  )
}
