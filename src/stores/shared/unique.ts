// Recognizes the violation of a unique index.

export type Unique = { index: string; column: string }

export const EXTERNAL_ID: Unique = { index: 'users_by_external_id', column: 'users.external_id' }
export const CHANNEL_NAME: Unique = { index: 'channels_by_name', column: 'channels.name' }

/** PostgreSQL names the index, SQLite the column; Drizzle wraps the error of either. */
export function violates(error: unknown, unique: Unique): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(unique.index)) return true
    if (isViolation(cause.message, unique.column)) return true
  }
  return false
}

/** The table may have a prefix, see sqlite/names.ts. */
function isViolation(message: string, column: string): boolean {
  const named = /UNIQUE constraint failed: ([\w.]+)/.exec(message)?.[1]
  return named === column || named?.endsWith(`_${column}`) === true
}
