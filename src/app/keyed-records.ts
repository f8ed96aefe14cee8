// Finds what a request with an Idempotency-Key created: a person, an occasion or a task with the id of the key.
import { TASK_REMINDER } from '../domain/tasks/task.ts'
import type { OccasionStore, UserStore } from '../ports/store.ts'

/** A deleted record is not created again. */
export type KeyedRecord = { kind: 'user' | 'occasion' | 'task' | 'deleted'; userId: string }

/** Null if the id is free. A person is found before their birthday, which has the same id. */
export async function findKeyed(
  { store }: { store: Pick<UserStore, 'findUser' | 'isDeletedKey'> & Pick<OccasionStore, 'findOccasion'> },
  id: string,
): Promise<KeyedRecord | null> {
  if ((await store.findUser(id)) !== null) return { kind: 'user', userId: id }
  const occasion = await store.findOccasion(id)
  if (occasion === null) return (await store.isDeletedKey(id)) ? { kind: 'deleted', userId: id } : null
  return { kind: occasion.type === TASK_REMINDER ? 'task' : 'occasion', userId: occasion.userId }
}
