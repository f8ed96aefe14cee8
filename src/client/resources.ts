// People, occasions, tasks and events as functions over the paths of the API. The client and the library have the same.
import type { Input, PathClient } from './calls.ts'
import type { NewUser } from './path-client.ts'
import type { paths } from './schema.ts'

/** A person, by Terce's id or by your own. */
export type PersonRef = string | { externalId: string }

type Body<P extends keyof paths, M extends 'post' | 'put'> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? Input<B>
  : never
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never

const BY_EXTERNAL_ID = '/user/by-external-id/{externalId}'

/** Runs `work` with calls that follow the options. */
export type Call<Options> = <T>(options: Options, work: (api: PathClient) => Promise<T>) => Promise<T>

async function idOf(api: PathClient, person: PersonRef): Promise<string> {
  if (typeof person === 'string') return person
  return (await api.get(BY_EXTERNAL_ID, { path: { externalId: person.externalId } })).id
}

type NewTask = Body<'/task', 'post'>

export type Resources<Options extends { idempotencyKey?: string }> = ReturnType<
  typeof createResources<Options>
>

export function createResources<Options extends { idempotencyKey?: string }>(call: Call<Options>) {
  const NONE = {} as Options

  async function* each<T>(work: (api: PathClient) => AsyncGenerator<T>): AsyncGenerator<T> {
    yield* await call(NONE, async (api) => work(api))
  }

  const keyed = ({ idempotencyKey }: Options) => ({
    ...(idempotencyKey !== undefined && { header: { 'Idempotency-Key': idempotencyKey } }),
  })

  return {
    users: {
      create: (user: Input<NewUser>, options = NONE) =>
        call(options, (api) => api.post('/user', { body: user, ...keyed(options) })),
      createMany: (users: Input<NewUser>[], options = NONE) =>
        call(options, (api) => api.post('/user/bulk', { body: { users: users as NewUser[] } })),
      get: (person: PersonRef, options = NONE) =>
        call(options, async (api) => api.get('/user/{id}', { path: { id: await idOf(api, person) } })),
      byExternalId: (externalId: string, options = NONE) =>
        call(options, (api) => api.get(BY_EXTERNAL_ID, { path: { externalId } })),
      list: (query: Query<'/user'> = {}) => each((api) => api.each('/user', { query })),
      /** Creates the person, or changes them if the external id exists. Safe to repeat. */
      upsert: (externalId: string, fields: Body<typeof BY_EXTERNAL_ID, 'put'>, options = NONE) =>
        call(options, (api) => api.put(BY_EXTERNAL_ID, { path: { externalId }, body: fields })),
      change: (person: PersonRef, fields: Body<'/user/{id}', 'put'>, options = NONE) =>
        call(options, async (api) =>
          api.put('/user/{id}', { path: { id: await idOf(api, person) }, body: fields }),
        ),
      delete: (person: PersonRef, options = NONE) =>
        call(options, async (api) => api.delete('/user/{id}', { path: { id: await idOf(api, person) } })),
    },
    occasions: {
      create: (person: PersonRef, occasion: Body<'/user/{id}/occasion', 'post'>, options = NONE) =>
        call(options, async (api) => {
          const path = { id: await idOf(api, person) }
          const request = { path, body: occasion, ...keyed(options) }
          const { dryRun: _, ...created } = await api.post('/user/{id}/occasion', request)
          return created
        }),
      get: (id: string, options = NONE) =>
        call(options, (api) => api.get('/occasion/{id}', { path: { id } })),
      ofUser: (person: PersonRef, options = NONE) =>
        call(options, async (api) =>
          api.get('/user/{id}/occasion', { path: { id: await idOf(api, person) } }),
        ),
      change: (id: string, fields: Body<'/occasion/{id}', 'put'>, options = NONE) =>
        call(options, (api) => api.put('/occasion/{id}', { path: { id }, body: fields })),
      pause: (id: string, options = NONE) =>
        call(options, (api) => api.post('/occasion/{id}/pause', { path: { id } })),
      resume: (id: string, options = NONE) =>
        call(options, (api) => api.post('/occasion/{id}/resume', { path: { id } })),
      delete: (id: string, options = NONE) =>
        call(options, (api) => api.delete('/occasion/{id}', { path: { id } })),
    },
    tasks: {
      create: (task: NewTask | (Omit<NewTask, 'userId'> & { externalId: string }), options = NONE) =>
        call(options, async (api) => {
          const { externalId, ...fields } = { externalId: undefined, ...task }
          const userId = await idOf(api, externalId === undefined ? (task as NewTask).userId : { externalId })
          return api.post('/task', { body: { ...fields, userId }, ...keyed(options) })
        }),
      get: (id: string, options = NONE) => call(options, (api) => api.get('/task/{id}', { path: { id } })),
      list: (query: Query<'/task'> = {}) => each((api) => api.each('/task', { query })),
      change: (id: string, fields: Body<'/task/{id}', 'put'>, options = NONE) =>
        call(options, (api) => api.put('/task/{id}', { path: { id }, body: fields })),
      complete: (id: string, options = NONE) =>
        call(options, (api) => api.post('/task/{id}/complete', { path: { id } })),
      delete: (id: string, options = NONE) =>
        call(options, (api) => api.delete('/task/{id}', { path: { id } })),
    },
    events: {
      get: (id: string, options = NONE) => call(options, (api) => api.get('/event/{id}', { path: { id } })),
      list: (query: Query<'/event'> = {}) => each((api) => api.each('/event', { query })),
      ofUser: (person: PersonRef, query: Query<'/user/{id}/event'> = {}) =>
        each(async function* (api) {
          yield* api.each('/user/{id}/event', { path: { id: await idOf(api, person) }, query })
        }),
      explain: (id: string) => call(NONE, (api) => api.get('/event/{id}/explain', { path: { id } })),
      replay: (id: string, options = NONE) =>
        call(options, (api) => api.post('/event/{id}/replay', { path: { id } })),
    },
  }
}
