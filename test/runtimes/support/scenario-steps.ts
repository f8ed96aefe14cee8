// The actions of a scenario on a home, and the observations from outside.
import { until } from '../../support/until.ts'
import { bornOn, type Day, plain, type Receiver } from './scenario-fixtures.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it came
export type Answer = { status: number; body: any }

export type Home = {
  /** Sends a request to the API with a key. */
  request(method: string, path: string, body?: unknown): Promise<Answer>
  /** Makes it look for due events. Does nothing for a home that polls by itself. */
  tick(): Promise<void>
  /** Kills it without warning. Its data stays. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export type Stage = { home: Home; receiver: Receiver; day: Day }

export async function expectStatus(status: number, answer: Promise<Answer>) {
  const given = await answer
  if (given.status !== status) throw new Error(`${given.status} and not ${status}: ${JSON.stringify(given)}`)
  return given.body
}

export const read = (home: Home, path: string) => expectStatus(200, home.request('GET', path))

export function create(
  { home }: Stage,
  name: string,
  born: { dateOfBirth: string; timezone: string },
  now = false,
) {
  const [firstName, lastName] = name.split(' ')
  const person = { firstName, lastName, ...born, ...(now && { sendTodayNow: true }) }
  return expectStatus(201, home.request('POST', '/user', person))
}

/** A person whose birthday is today, at noon: the event is due at once. */
export function createDue(stage: Stage, name: string) {
  return create(stage, name, { dateOfBirth: bornOn(stage.day), timezone: stage.day.zone }, true)
}

/** A person whose birthday is on another day. */
export function createLater(stage: Stage, name: string, timezone = stage.day.zone) {
  return create(stage, name, { dateOfBirth: bornOn(stage.day, 100), timezone })
}

/** Ticks the home until the event is settled. */
export function settled({ home }: Stage, eventId: string) {
  return until(
    `event ${eventId} is settled`,
    async () => {
      await home.tick()
      return read(home, `/event/${eventId}`)
    },
    ({ status }) => status === 'COMPLETED' || status === 'FAILED',
    60_000,
  )
}

/** The outcome of an event, and the requests that the receiver got for it. */
export async function witness(stage: Stage, eventId: string, name: string) {
  const { successor, ...event } = await settled(stage, eventId)
  const posts = stage.receiver.postsAbout(name)
  return {
    event: plain(event),
    successor: successor && {
      status: successor.status,
      yearsLater: yearOf(successor) - yearOf(event),
    },
    said: plain(posts[0]?.message),
    posts: posts.length,
    allSigned: posts.every(({ verified }) => verified),
    sameBytes: new Set(posts.map(({ body }) => body)).size === 1,
    sameKey: posts.every(({ key }) => key === event.idempotencyKey),
    asRecorded: JSON.stringify(event.deliveryPayload) === posts[0]?.body,
  }
}

/** The occurrence of a replay has a suffix, which parseInt ignores. */
const yearOf = ({ occurrence }: { occurrence: string }) => Number.parseInt(occurrence, 10)
