// The operations of the API as functions. Each one is a request to the app of this process, so that input is checked, written and
// rejected by one implementation; `tx` makes it part of a transaction of the application.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client as ApiClient, NewUser, paths } from '../../client/client.ts'
import { createClient } from '../../client/client.ts'
import type { Store } from '../../ports/store.ts'
import type { Connection, JoinedStore } from './joined-store.ts'

export type CallOptions<Tx> = {
  /** Writes in this transaction, and reads what it has written. */
  tx?: Tx | Connection
  /** Repeating a creation under one key creates nothing twice. Not for a call with `tx`, which the application can roll back. */
  idempotencyKey?: string
}

type Body<P extends keyof paths, M extends 'post' | 'put'> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? B
  : never
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never

/** The transaction of the current call, and what is announced when it commits. */
type Joined = { store: JoinedStore; announced: Promise<void>[] }

const current = new AsyncLocalStorage<Joined>()

/** The store of the current call: inside its transaction, or the given one. */
export function routed(store: Store): Store {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const joined = current.getStore()?.store as Record<string, (...args: unknown[]) => unknown> | undefined
      return (joined?.[name] ?? (method as (...args: unknown[]) => unknown))(...args)
    },
  ])
  return Object.fromEntries(methods) as Store
}

/** Announces planned events when the transaction of the call commits; false if the call has none. */
export function announceOnCommit(at: number): boolean {
  const joined = current.getStore()
  joined?.announced.push(joined.store.announce(at))
  return joined !== undefined
}

export type InProcess<Tx> = {
  fetch: (request: Request) => Response | Promise<Response>
  join: (tx: Tx | Connection) => JoinedStore
}

/** `open` resolves when the database is open. */
export function createCalls<Tx>(open: () => Promise<InProcess<Tx>>) {
  type Options = CallOptions<Tx>

  async function call<T>(options: Options, work: (api: ApiClient) => Promise<T>): Promise<T> {
    const { fetch, join } = await open()
    const api = createClient({
      url: 'http://localhost',
      fetch: async (url, init) => fetch(new Request(url, init)),
    })
    if (options.tx === undefined) return work(api)
    const joined: Joined = { store: join(options.tx), announced: [] }
    const result = await current.run(joined, () => work(api))
    await Promise.all(joined.announced)
    return result
  }

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
      get: (id: string, options: Options = {}) =>
        call(options, (api) => api.get('/user/{id}', { path: { id } })),
      list: (query: Query<'/user'> = {}) => each((api) => api.each('/user', { query })),
      change: (id: string, fields: Body<'/user/{id}', 'put'>, options: Options = {}) =>
        call(options, (api) => api.put('/user/{id}', { path: { id }, body: fields })),
      delete: (id: string, options: Options = {}) =>
        call(options, (api) => api.delete('/user/{id}', { path: { id } })),
    },
    occasions: {
      create: (userId: string, occasion: Body<'/user/{id}/occasion', 'post'>, options: Options = {}) =>
        call(options, (api) =>
          api.post('/user/{id}/occasion', { path: { id: userId }, body: occasion, ...keyed(options) }),
        ),
      get: (id: string, options: Options = {}) =>
        call(options, (api) => api.get('/occasion/{id}', { path: { id } })),
      ofUser: (userId: string, options: Options = {}) =>
        call(options, (api) => api.get('/user/{id}/occasion', { path: { id: userId } })),
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
      create: (task: Body<'/task', 'post'>, options: Options = {}) =>
        call(options, (api) => api.post('/task', { body: task, ...keyed(options) })),
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
      explain: (id: string) => call({}, (api) => api.get('/event/{id}/explain', { path: { id } })),
      replay: (id: string) => call({}, (api) => api.post('/event/{id}/replay', { path: { id } })),
    },
  }
}
