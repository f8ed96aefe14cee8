// A lie: rows that are altered without the engine and without the store.

export type Lie = {
  lie: string
  /** The person of the installation whose rows are altered. */
  of: string
  /** Each must change a row. `:user`, `:occasion`, `:event` (of the day) and `:next` (planned) are the ids of the person's rows. */
  sql: readonly string[]
  /** The unexplained and surplus lines of the day that is closed afterwards: column and reason, in order. */
  found: readonly string[]
}

const EVENT_COLUMNS = [
  ...['id', 'occasion_id', 'occurrence', 'status', 'target_at', 'offset_seconds', 'timezone', 'tz_version'],
  ...['wake_at', 'lease_until', 'claimed_by', 'claimed_at', 'retry_count', 'version', 'plan_revision'],
  ...['executed_at', 'status_code', 'last_error', 'created_at', 'updated_at', 'replay_of', 'own_key'],
  ...['park_count', 'failure_code', 'channel_id', 'exchange'],
]

export const HOUR = 3_600_000
export const YEAR = 365 * 24 * HOUR
export const FORGED_ID = '01f00000-0000-7000-8000-000000000001'

/** Inserts a copy of an event, with other values in some columns, and its body. */
export function copyOf(event: ':event' | ':next', others: Readonly<Record<string, string>>): string[] {
  const values = EVENT_COLUMNS.map((name) => (name === 'id' ? `'${FORGED_ID}'` : (others[name] ?? name)))
  return [
    `INSERT INTO events (${EVENT_COLUMNS.join(', ')}) SELECT ${values.join(', ')} FROM events WHERE id = ${event}`,
    `INSERT INTO payloads (event_id, body) VALUES ('${FORGED_ID}', '{}')`,
  ]
}

/** Changes the event of the day, or the planned one. */
export function change(event: ':event' | ':next', set: string): string {
  return `UPDATE events SET ${set} WHERE id = ${event}`
}
