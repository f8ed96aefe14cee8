// Puts a Terce together in the process of an application: calls, handlers, engine. Opens nothing by itself, so that a test can give
// it a database in memory and a clock. Imports little: the rest is loaded when a Terce is created.
import type { Resources } from '../client/resources.ts'
import { isTypeName } from '../domain/occasions/occasion-types.ts'
import { ANY_TYPE, type Handler } from './handlers/handler.ts'
import type { Terce } from './library.ts'
import { createMount } from './mounted.ts'
import type { Opened } from './open.ts'
import type { LibraryParts, LibraryState } from './parts.ts'
import type { CallOptions } from './transactions.ts'

export function assemble<Tx>(parts: LibraryParts<Tx>): Terce<Tx> {
  const handlers = new Map<string, Handler<Tx>>()
  const state: LibraryState<Tx> = { handlers, engine: null, stopping: false }
  let opened: Promise<Opened> | null = null
  let starting: Promise<void> | null = null
  let ending: Promise<void> | null = null

  // Begins to load, so that the first call, which may be inside a transaction with a time limit, waits less for it.
  const loaded = import('./open.ts')
  loaded.catch(() => {})

  async function open(): Promise<Opened> {
    return (await loaded).open(parts, state)
  }

  function ready(): Promise<Opened> {
    if (state.stopping) return Promise.reject(new Error('Terce is stopped.'))
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }

  async function start(): Promise<void> {
    state.engine = await (await ready()).start()
  }

  async function end(): Promise<void> {
    state.stopping = true
    await starting?.catch(() => {})
    await state.engine?.stop()
    const open = await opened?.catch(() => null)
    await open?.close()
  }

  return {
    ...deferred<Tx>(async () => (await ready()).resources),
    ...createMount(parts.basePath ?? '', async () => (await ready()).mount()),
    on: (type, handler, { replace = false } = {}) => {
      if (type !== ANY_TYPE && !isTypeName(type))
        throw new TypeError(
          `No event has the type "${type}": types are in capitals, such as BIRTHDAY. For errors of handlers, pass onError to createTerce.`,
        )
      if (starting !== null) throw new Error('Register handlers before start().')
      if (handlers.has(type) && !replace)
        throw new Error(`${type} has a handler already. Pass { replace: true } to replace it.`)
      handlers.set(type, handler as unknown as Handler<Tx>)
    },
    ready: async () => {
      await ready()
    },
    start: () => {
      starting ??= start().catch((error) => {
        starting = null
        throw error
      })
      return starting
    },
    stop: () => {
      ending ??= end()
      return ending
    },
  }
}

/** The calls of each resource. A star marks one that iterates over a list. */
const CALLS = {
  users: 'create createMany get byExternalId *list upsert change delete',
  occasions: 'create get ofUser change pause resume delete',
  tasks: 'create get *list change complete delete',
  events: 'get *list *ofUser explain replay',
}

/** The calls, each of which waits for those of `open`. */
function deferred<Tx>(open: () => Promise<unknown>): Resources<CallOptions<Tx>> {
  type Method = (...args: unknown[]) => AsyncGenerator
  const methodOf = async (resource: string, name: string) =>
    ((await open()) as Record<string, Record<string, Method>>)[resource]![name]!
  const methodsOf = ([resource, names]: [string, string]) => {
    const methods = names.split(' ').map((text) => {
      const name = text.replace('*', '')
      async function* list(...args: unknown[]) {
        yield* (await methodOf(resource, name))(...args)
      }
      const call = async (...args: unknown[]) => (await methodOf(resource, name))(...args)
      return [name, text === name ? call : list]
    })
    return [resource, Object.fromEntries(methods)]
  }
  return Object.fromEntries(Object.entries(CALLS).map(methodsOf))
}
