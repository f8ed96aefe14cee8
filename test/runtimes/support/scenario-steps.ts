// What a scenario can do with a home, and what can be seen of it from outside.
import { until } from '../../support/until.ts'
import { bornOn, type Day, plain, type Receiver } from './scenario-fixtures.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it came
export type Answer = { status: number; body: any }

export type Home = {
  /** By the door that its callers use, with a key. */
  request(method: string, path: string, body?: unknown): Promise<Answer>
  /** Has it look for what is due. Nothing to do for a home that looks by itself. */
  tick(): Promise<void>
  /** Ends all that runs of it, without warning. What it has stored stays. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it, and removes all that it has stored. */
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

/** Somebody whose birthday is today, at noon: their greeting is due at once. */
export function createDue(stage: Stage, name: string) {
  return create(stage, name, { dateOfBirth: bornOn(stage.day), timezone: stage.day.zone }, true)
}

/** Somebody whose birthday is not now. */
export function createLater(stage: Stage, name: string, timezone = stage.day.zone) {
  return create(stage, name, { dateOfBirth: bornOn(stage.day, 100), timezone })
}

/** Has the home look until the event has come to its end. */
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

/** What became of an event, and all that the receiver saw of it. */
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

/** That of a replay has more to it. */
const yearOf = ({ occurrence }: { occurrence: string }) => Number.parseInt(occurrence, 10)
