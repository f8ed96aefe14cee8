// A Durable Object with a store, and a Worker that passes the calls of a test in Node on to it.
import { DurableObject } from 'cloudflare:workers'
import type { Store } from '../../../src/ports/store.ts'
import { objectExecutor } from '../../../src/stores/durable-object/executor.ts'
import { bundledMigrations, migrateObject } from '../../../src/stores/durable-object/migrate.ts'
import { openObjectStore } from '../../../src/stores/durable-object/object-store.ts'
import type { ObjectStorage } from '../../../src/stores/durable-object/storage.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'

export type ObjectCall = { object: string } & (
  | { kind: 'call'; method: keyof Store; count: number; args: Record<number, unknown> }
  | { kind: 'batch'; statements: Parameters<Executor['batch']>[0] }
  | { kind: 'read'; statement: Parameters<Executor['read']>[0] }
  | { kind: 'claim'; now: number; limit: number }
  | { kind: 'migrate'; text: string | null }
)

export class StoreObject extends DurableObject<unknown, { storage: ObjectStorage }> {
  #executor = objectExecutor(this.ctx.storage)
  #store = openObjectStore(this.ctx.storage)

  constructor(ctx: { storage: ObjectStorage }, env: unknown) {
    super(ctx, env)
    migrateObject(ctx.storage, bundledMigrations())
  }

  async run(call: ObjectCall): Promise<unknown> {
    switch (call.kind) {
      case 'call':
        return (this.#store[call.method] as (...args: unknown[]) => unknown)(...argumentsOf(call))
      case 'batch':
        return this.#executor.batch(call.statements)
      case 'read':
        return this.#executor.read(call.statement)
      case 'claim':
        return this.#claimAll(call)
      case 'migrate':
        return this.#migrateAgain(call.text)
    }
  }

  /** Claims until no event is due, and returns the claimed ids. */
  async #claimAll({ now, limit }: { now: number; limit: number }): Promise<string[]> {
    const claimed: string[] = []
    for (;;) {
      const claims = await this.#store.claimDue({
        now,
        limit,
        leaseMs: 3_600_000,
        claimedBy: crypto.randomUUID(),
        render: ({ id }) => `body of ${id}`,
      })
      if (claims.length === 0) return claimed
      claimed.push(...claims.map(({ id }) => id))
    }
  }

  /** With the text of a further file, if one is given. */
  #migrateAgain(text: string | null): string[] {
    const more = { name: '9999_more.sql', text: text ?? '', oldestRelease: '0.1.0', inTransaction: true }
    return migrateObject(this.ctx.storage, [...bundledMigrations(), ...(text === null ? [] : [more])])
  }
}

/** JSON has no `undefined` in an array: an argument that was left out would arrive as null. */
function argumentsOf({ count, args }: { count: number; args: Record<number, unknown> }): unknown[] {
  return Array.from({ length: count }, (_, i) => args[i])
}

type Namespace = { idFromName(name: string): unknown; get(id: unknown): { run(call: ObjectCall): unknown } }

export default {
  async fetch(request: Request, { OBJECT }: { OBJECT: Namespace }): Promise<Response> {
    const call = (await request.json()) as ObjectCall
    try {
      return Response.json((await OBJECT.get(OBJECT.idFromName(call.object)).run(call)) ?? null)
    } catch (error) {
      return new Response((error as Error).message, { status: 500 })
    }
  },
}
