// Keyed ids of deleted records: the deletion enters them into the audit log, and no later request creates them again.
import { FIRST_TIMED_ID } from '../../../domain/events/uuid.ts'

const DELETED = 'record.deleted'

/** SQL: enters the keyed ids of the occasions. A person with a keyed id has a birthday with that id. */
export const recordKeyed = (schema: '' | 'terce.', { at, which }: { at: string; which: string }) =>
  `INSERT INTO ${schema}audit_entries (at, action, object_kind, object_id, count)
    SELECT ${at}, '${DELETED}', CASE WHEN id = user_id THEN 'user' WHEN type = 'TASK_REMINDER' THEN 'task' ELSE 'occasion' END, id, 1
    FROM ${schema}occasions WHERE ${which} AND id < '${FIRST_TIMED_ID}'`

/** SQL: rows if a record with one of the ids was deleted. */
export const findDeleted = (schema: '' | 'terce.', ids: string) =>
  `SELECT 1 FROM ${schema}audit_entries WHERE object_id ${ids} AND action = '${DELETED}'`

/** SQL of SQLite: true unless the id in the column is that of a deleted record. */
export const isFree = (column: string) =>
  `(${column} > '${FIRST_TIMED_ID}' OR NOT EXISTS (${findDeleted('', `= ${column}`)}))`

export const isKeyed = (id: string) => id < FIRST_TIMED_ID
