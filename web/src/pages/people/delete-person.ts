// Deletes a person with undo: hidden at once, deleted after six seconds.

import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { deleteUser } from '../../api/people.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { User } from '../../api/types.ts'
import { offerUndo } from '../../ui/toast.tsx'

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(next: ReadonlySet<string>): void {
  hidden = next
  for (const listener of listeners) listener()
}

/** The ids of people about to be deleted. */
export function useHiddenPeople(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hidden,
  )
}

export function deleteWithUndo(client: QueryClient, user: User): void {
  const { id } = user
  const reappear = () => change(new Set([...hidden].filter((other) => other !== id)))
  change(new Set([...hidden, id]))
  offerUndo({
    text: `${fullName(user)} deleted.`,
    commit: async (leaving) => {
      await deleteUser(id, { leaving })
      await client.invalidateQueries({ queryKey: KEYS.people })
      await client.invalidateQueries({ queryKey: KEYS.today })
      reappear()
    },
    onUndo: reappear,
  })
}
