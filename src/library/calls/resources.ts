// People, occasions, tasks and events as functions over the use cases: the calls of `terce/client`, in the process of the application.
import type { z } from '@hono/zod-openapi'
import { BAD_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY } from '../../api/create-once.ts'
import { events } from '../../api/events/calls.ts'
import { eventNotFound } from '../../api/events/json.ts'
import { eventsQuery } from '../../api/events/query.ts'
import { occasions } from '../../api/occasions/calls.ts'
import { NewOccasionJson, OccasionChangeJson, occasionNotFound } from '../../api/occasions/json.ts'
import { invalidInput, Problem } from '../../api/problem.ts'
import { parseQuery } from '../../api/query.ts'
import { type AsSent, checkShape } from '../../api/shape.ts'
import { tasks } from '../../api/tasks/calls.ts'
import { NewTaskJson, TaskChangeJson, taskNotFound, tasksQuery } from '../../api/tasks/json.ts'
import { findByExternalId, noSuchExternalId, users } from '../../api/users/calls.ts'
import { changeDraft, userDraft, usersBody } from '../../api/users/input.ts'
import { userNotFound } from '../../api/users/json.ts'
import { usersQuery } from '../../api/users/query.ts'
import type { PersonRef, Resources } from '../../client/resources.ts'
import { keyedId, parseUuid } from '../../domain/events/uuid.ts'
import type { CallOptions } from '../transactions.ts'
import type { Call, CallDeps } from './call.ts'

export function createResources<Tx>(call: Call<Tx>): Resources<CallOptions<Tx>> {
  const calls = callsBy(call)
  const resources = {
    users: people(calls),
    occasions: occasionsOf(calls),
    tasks: tasksOf(calls),
    events: eventsOf(calls),
  }
  // The types of the calls are those of the client, which come from the OpenAPI document.
  return resources as unknown as Resources<CallOptions<Tx>>
}

type Options = CallOptions<unknown>
type Work<T> = (app: CallDeps, id: string) => Promise<T>
type Calls = ReturnType<typeof callsBy>

function callsBy<Tx>(run: Call<Tx>) {
  const call = run as Call<unknown>
  return {
    call,
    /** A call about one record, by its id. */
    on:
      <T>(notFound: NotFound, work: Work<T>) =>
      (id: string, options: Options = {}) =>
        call(options, async (app) => work(app, idIn(id, notFound))),
    /** A call that changes one record. */
    change:
      <T>(notFound: NotFound, work: (app: CallDeps, id: string, fields: unknown) => Promise<T>) =>
      (id: string, fields: unknown, options: Options = {}) =>
        call(options, async (app) => work(app, idIn(id, notFound), fields)),
    /** A call about a person, by either id. */
    about: <T>(person: PersonRef, options: Options, work: Work<T>) =>
      call(options, async (app) => work(app, await idOf(app, person))),
    /** The items of all pages. */
    async *each<T>(query: Query, read: (app: CallDeps, page: Query) => Promise<Page<T>>) {
      for (let page = query; ; ) {
        const { items, nextCursor } = await call({}, (app) => read(app, page))
        yield* items
        if (nextCursor === null) return
        page = { ...page, cursor: nextCursor }
      }
    },
  }
}

function people({ call, about, each }: Calls) {
  return {
    create: (user: unknown, options: Options = {}) =>
      call(options, async (app) => (await users.create(app, body(userDraft, user), keyIn(options))).json),
    createMany: (drafts: unknown, options: Options = {}) =>
      call(options, async (app) => {
        const json = await users.createMany(app, body(usersBody, { users: drafts }).users)
        await app.record({ action: 'people.imported', details: { created: json.created } })
        return json
      }),
    get: (person: PersonRef, options: Options = {}) => about(person, options, users.read),
    byExternalId: (externalId: string, options: Options = {}) =>
      call(options, (app) => users.readByExternalId(app, externalId)),
    list: (query: Query = {}) => each(query, (app, page) => users.list(app, queryOf(usersQuery, page))),
    upsert: (externalId: string, fields: unknown, options: Options = {}) =>
      call(options, async (app) => users.upsert(app, externalId, body(userDraft, fields))),
    change: (person: PersonRef, fields: unknown, options: Options = {}) =>
      about(person, options, (app, id) => users.change(app, id, body(changeDraft, fields))),
    delete: (person: PersonRef, options: Options = {}) =>
      about(person, options, async (app, id) => {
        await users.remove(app, id)
        await app.record({ action: 'person.erased', object: { kind: 'user', id } })
      }),
  }
}

function occasionsOf({ on, about, change }: Calls) {
  return {
    create: (person: PersonRef, occasion: unknown, options: Options = {}) =>
      about(person, options, async (app, id) => {
        const how = { id: keyIn(options) }
        return (await occasions.create(app, id, body(NewOccasionJson, occasion), how)).json
      }),
    get: on(occasionNotFound, occasions.read),
    ofUser: (person: PersonRef, options: Options = {}) => about(person, options, occasions.ofUser),
    change: change(occasionNotFound, (app, id, fields) =>
      occasions.change(app, id, body(OccasionChangeJson, fields)),
    ),
    pause: on(occasionNotFound, occasions.pause),
    resume: on(occasionNotFound, occasions.resume),
    delete: on(occasionNotFound, occasions.remove),
  }
}

function tasksOf({ call, on, change, each }: Calls) {
  return {
    create: (task: { externalId?: string }, options: Options = {}) =>
      call(options, async (app) => {
        const { externalId, ...fields } = task
        const owner = externalId === undefined ? {} : { userId: await idOf(app, { externalId }) }
        return (await tasks.create(app, body(NewTaskJson, { ...fields, ...owner }), keyIn(options))).json
      }),
    get: on(taskNotFound, tasks.read),
    list: (query: Query = {}) => each(query, (app, page) => tasks.list(app, queryOf(tasksQuery, page))),
    change: change(taskNotFound, (app, id, fields) => tasks.change(app, id, body(TaskChangeJson, fields))),
    complete: on(taskNotFound, tasks.complete),
    delete: on(taskNotFound, tasks.remove),
  }
}

function eventsOf({ on, each }: Calls) {
  return {
    get: on(eventNotFound, events.read),
    list: (query: Query = {}) => each(query, (app, page) => events.list(app, queryOf(eventsQuery, page))),
    ofUser: (person: PersonRef, query: Query = {}) =>
      each(query, async (app, page) =>
        events.ofUser(app, await idOf(app, person), queryOf(eventsQuery, page)),
      ),
    explain: on(eventNotFound, events.explain),
    replay: on(eventNotFound, async (app, id) => {
      const json = await events.replay(app, id)
      await app.record({ action: 'event.replayed', object: { kind: 'event', id } })
      return json
    }),
  }
}

type NotFound = (params: { id: string }) => Problem
type Query = { cursor?: string }
type Page<T> = { items: T[]; nextCursor: string | null }

function idIn(text: string, notFound: NotFound): string {
  const id = parseUuid(String(text))
  if (id === null) throw notFound({ id: String(text) })
  return id
}

async function idOf(app: CallDeps, person: PersonRef): Promise<string> {
  if (typeof person === 'string') return idIn(person, userNotFound)
  const user = await findByExternalId(app, person.externalId)
  if (user === null) throw noSuchExternalId()
  return user.id
}

/** The id that an idempotency key gives to what the call creates. */
function keyIn({ idempotencyKey: key }: CallOptions<unknown>): string | undefined {
  if (key === undefined) return undefined
  if (!IDEMPOTENCY_KEY.test(key)) throw new Problem('INVALID_HEADER', BAD_IDEMPOTENCY_KEY)
  return keyedId(key, null)
}

/** Parses an input as if it was sent: without fields that are undefined, and with a Date as its text. */
function body<S extends z.ZodType>(schema: S, value: unknown): AsSent<z.output<S>> {
  const parsed = checkShape(schema, JSON.parse(JSON.stringify(value ?? null)))
  if (!parsed.ok) throw invalidInput(parsed.problems)
  return parsed.value as AsSent<z.output<S>>
}

function queryOf<S extends z.ZodType>(schema: S, query: Query): AsSent<z.output<S>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return parseQuery(new URLSearchParams(given as [string, string][]), schema) as AsSent<z.output<S>>
}
