// What a user of a queue writes around it to do the work of Terce: the people, the message, the outcome, and next year's nine o'clock.
// The peers share it, so that their files hold only what differs.
import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { Agent, request } from 'undici'

export type Person = {
  id: string
  firstName: string
  lastName: string
  /** `1992-02-29`. */
  dateOfBirth: string
  timezone: string
}

/** The data of a job: the person is read when it runs. */
export type GreetingJob = { personId: string; year: number }
export type FirstJob = { person: Person; year: number; at: number }

/** Where the messages go, and the key of their signatures. */
export type Receiver = { url: string; key: Buffer }

/** An engine that does the work of Terce: it stores people with their first job, and greets each at their instant. */
export type GreetingEngine = {
  setUp(postgresUrl: string): Promise<void>
  /** Stores people and the first job of each in one transaction. */
  create(people: readonly FirstJob[]): Promise<void>
  /** Starts to work as in production. `onError` is called if it cannot go on. */
  start(receiver: Receiver, onError: (error: unknown) => void): Promise<void>
  /** SQL that counts the next jobs: pending, and due in more than a day. */
  countNext: string
  stop(): Promise<void>
}

/** The unique key of an outcome is what makes a message that is sent twice visible, and recorded once. */
export const SCHEMA = `
  CREATE TABLE people (id uuid PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, date_of_birth text NOT NULL, timezone text NOT NULL);
  CREATE TABLE outcomes (person_id uuid NOT NULL REFERENCES people ON DELETE CASCADE, year int NOT NULL, status_code int NOT NULL,
    body text NOT NULL, sent_at timestamptz NOT NULL, PRIMARY KEY (person_id, year))`

export async function insertPeople(client: pg.ClientBase, people: readonly FirstJob[]): Promise<void> {
  const of = (name: keyof Person) => people.map(({ person }) => person[name])
  await client.query(
    `INSERT INTO people SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    [of('id'), of('firstName'), of('lastName'), of('dateOfBirth'), of('timezone')],
  )
}

export async function readPeople(pool: pg.Pool, ids: readonly string[]): Promise<Map<string, Person>> {
  const { rows } = await pool.query<Person>(
    `SELECT id, first_name AS "firstName", last_name AS "lastName", date_of_birth AS "dateOfBirth", timezone
     FROM people WHERE id = ANY($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map((person) => [person.id, person]))
}

export type Sent = { person: Person; year: number; statusCode: number; body: string }

const dispatcher = new Agent({ connections: 256 })

/** A POST with a timeout by undici, which takes half of the CPU of fetch, signed by Standard Webhooks. Null if it was not accepted: the job fails and is retried. */
export async function greet({ url, key }: Receiver, person: Person, year: number): Promise<Sent | null> {
  const { id, firstName, lastName } = person
  const message = `Hey, ${firstName} ${lastName} it's your birthday`
  const occurrence = String(year)
  const body = JSON.stringify({ eventId: id, type: 'BIRTHDAY', occurrence, firstName, lastName, message })
  const idempotencyKey = `${id}-${year}`
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', key)
    .update(`${idempotencyKey}.${timestamp}.${body}`)
    .digest('base64')
  const headers = {
    'content-type': 'application/json',
    'x-idempotency-key': idempotencyKey,
    'webhook-id': idempotencyKey,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  const options = { method: 'POST', headers, body, dispatcher, signal: AbortSignal.timeout(10_000) } as const
  const response = await request(url, options)
  await response.body.dump()
  return response.statusCode < 300 ? { person, year, statusCode: response.statusCode, body } : null
}

export async function recordOutcomes(client: pg.ClientBase, sent: readonly Sent[]): Promise<void> {
  await client.query(
    `INSERT INTO outcomes SELECT *, now() FROM unnest($1::uuid[], $2::int[], $3::int[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      sent.map(({ person }) => person.id),
      sent.map(({ year }) => year),
      sent.map(({ statusCode }) => statusCode),
      sent.map(({ body }) => body),
    ],
  )
}

export async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await work(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Nine o'clock of the person on that birthday; 29 February is 1 March in other years. */
export function birthdayAt({ dateOfBirth, timezone }: Person, year: number): Date {
  const [, month, day] = dateOfBirth.split('-').map(Number) as [number, number, number]
  const asUtc = Date.UTC(year, month - 1, day, 9)
  const guess = asUtc - offsetMs(asUtc, timezone)
  return new Date(asUtc - offsetMs(guess, timezone))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetMs(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    const digits = '2-digit'
    const time = { hour: digits, minute: digits, second: digits, hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: digits,
      day: digits,
      ...time,
    })
    formats.set(timeZone, format)
  }
  const [month, day, year, hour, minute, second] = format.format(at).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - at
}
