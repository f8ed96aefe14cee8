// Which people, occasions and tasks a handler deletes. An event that its own handler deleted is not a lost claim.
import { AsyncLocalStorage } from 'node:async_hooks'
import { decorate } from '../../domain/decorate.ts'
import type { Store } from '../../ports/store.ts'

const deletions = new AsyncLocalStorage<Set<string>>()

/** Runs a handler, and adds the ids that its calls delete to the set. */
export function collectDeletions<T>(deleted: Set<string>, handler: () => T): T {
  return deletions.run(deleted, handler)
}

/** The store, with the deletions of each handler collected. */
export function collecting<S extends Pick<Store, 'deleteUser' | 'removeOccasion'>>(store: S): S {
  const collected =
    <Rest extends unknown[]>(remove: (id: string, ...rest: Rest) => Promise<boolean>) =>
    async (id: string, ...rest: Rest) => {
      const isDeleted = await remove(id, ...rest)
      if (isDeleted) deletions.getStore()?.add(id)
      return isDeleted
    }
  return decorate<Pick<Store, 'deleteUser' | 'removeOccasion'>>(store, {
    deleteUser: collected,
    removeOccasion: collected,
  }) as S
}
