// The operations of the API as functions. Each one is a request to the app of this process, so that input is checked, written and
// rejected by one implementation.
import type { Client as ApiClient, NewUser, paths } from '../client/client.ts'
import type { PgClient, SqliteClient } from './transactions.ts'

export type CallOptions<Tx> = {
  /** Writes in this transaction, and reads what it has written. */
  tx?: Tx | PgClient | SqliteClient
  /** Repeating a creation under one key creates nothing twice. Not for a call with `tx`, which the application can roll back. */
  idempotencyKey?: string
}

/** A person, by Terce's id or by your own. */
export type PersonRef = string | { externalId: string }

type Body<P extends keyof paths, M extends 'post' | 'put'> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? B
  : never
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never

const BY_EXTERNAL_ID = '/user/by-external-id/{externalId}'

/** Runs `work` with a client whose requests stay in this process, in the transaction of the options. */
export type Call<Tx> = <T>(options: CallOptions<Tx>, work: (api: ApiClient) => Promise<T>) => Promise<T>

async function idOf(api: ApiClient, person: PersonRef): Promise<string> {
  if (typeof person === 'string') return person
  return (await api.get(BY_EXTERNAL_ID, { path: { externalId: person.externalId } })).id
}

type NewTask = Body<'/task', 'post'>

export function createCalls<Tx>(call: Call<Tx>) {
  type Options = CallOptions<Tx>

  async function* each<T>(work: (api: ApiClient) => AsyncGenerator<T>): AsyncGenerator<T> {
    yield* await call({}, async (api) => work(api))
  }

  const keyed = ({ idempotencyKey }: Options) => ({
    ...(idempotencyKey !== undefined && { header: { 'Idempotency-Key': idempotencyKey } }),
  })

  return {
    users: {
      create: (user: NewUser, options: Options = {}) =>
        call(options, (api) => api.post('/user', { body: user, ...keyed(options) })),
      createMany: (users: NewUser[], options: Options = {}) =>
        call(options, (api) => api.post('/user/bulk', { body: { users }, ...keyed(options) })),
      get: (person: PersonRef, options: Options = {}) =>
        call(options, async (api) => api.get('/user/{id}', { path: { id: await idOf(api, person) } })),
      byExternalId: (externalId: string, options: Options = {}) =>
        call(options, (api) => api.get(BY_EXTERNAL_ID, { path: { externalId } })),
      list: (query: Query<'/user'> = {}) => each((api) => api.each('/user', { query })),
      /** Creates the person, or changes them if the external id exists. Safe to repeat. */
      upsert: (externalId: string, fields: Body<typeof BY_EXTERNAL_ID, 'put'>, options: Options = {}) =>
        call(options, (api) => api.put(BY_EXTERNAL_ID, { path: { externalId }, body: fields })),
      change: (person: PersonRef, fields: Body<'/user/{id}', 'put'>, options: Options = {}) =>
        call(options, async (api) =>
          api.put('/user/{id}', { path: { id: await idOf(api, person) }, body: fields }),
        ),
      delete: (person: PersonRef, options: Options = {}) =>
        call(options, async (api) => api.delete('/user/{id}', { path: { id: await idOf(api, person) } })),
    },
    occasions: {
      create: (person: PersonRef, occasion: Body<'/user/{id}/occasion', 'post'>, options: Options = {}) =>
        call(options, async (api) => {
          const path = { id: await idOf(api, person) }
          return api.post('/user/{id}/occasion', { path, body: occasion, ...keyed(options) })
        }),
      get: (id: string, options: Options = {}) =>
        call(options, (api) => api.get('/occasion/{id}', { path: { id } })),
      ofUser: (person: PersonRef, options: Options = {}) =>
        call(options, async (api) =>
          api.get('/user/{id}/occasion', { path: { id: await idOf(api, person) } }),
        ),
      change: (id: string, fields: Body<'/occasion/{id}', 'put'>, options: Options = {}) =>
        call(options, (api) => api.put('/occasion/{id}', { path: { id }, body: fields })),
      pause: (id: string, options: Options = {}) =>
        call(options, (api) => api.post('/occasion/{id}/pause', { path: { id } })),
      resume: (id: string, options: Options = {}) =>
        call(options, (api) => api.post('/occasion/{id}/resume', { path: { id } })),
      delete: (id: string, options: Options = {}) =>
        call(options, (api) => api.delete('/occasion/{id}', { path: { id } })),
    },
    tasks: {
      create: (task: NewTask | (Omit<NewTask, 'userId'> & { externalId: string }), options: Options = {}) =>
        call(options, async (api) => {
          const { externalId, ...fields } = { externalId: undefined, ...task }
          const userId = await idOf(api, externalId === undefined ? (task as NewTask).userId : { externalId })
          return api.post('/task', { body: { ...fields, userId }, ...keyed(options) })
        }),
      get: (id: string, options: Options = {}) =>
        call(options, (api) => api.get('/task/{id}', { path: { id } })),
      list: (query: Query<'/task'> = {}) => each((api) => api.each('/task', { query })),
      change: (id: string, fields: Body<'/task/{id}', 'put'>, options: Options = {}) =>
        call(options, (api) => api.put('/task/{id}', { path: { id }, body: fields })),
      complete: (id: string, options: Options = {}) =>
        call(options, (api) => api.post('/task/{id}/complete', { path: { id } })),
      delete: (id: string, options: Options = {}) =>
        call(options, (api) => api.delete('/task/{id}', { path: { id } })),
    },
    events: {
      get: (id: string, options: Options = {}) =>
        call(options, (api) => api.get('/event/{id}', { path: { id } })),
      list: (query: Query<'/event'> = {}) => each((api) => api.each('/event', { query })),
      ofUser: (person: PersonRef, query: Query<'/user/{id}/event'> = {}) =>
        each(async function* (api) {
          yield* api.each('/user/{id}/event', { path: { id: await idOf(api, person) }, query })
        }),
      explain: (id: string) => call({}, (api) => api.get('/event/{id}/explain', { path: { id } })),
      replay: (id: string, options: Options = {}) =>
        call(options, (api) => api.post('/event/{id}/replay', { path: { id } })),
    },
  }
}
