// Failures in brief, by which they are counted and found. The expressions are valid in both dialects.

const BRIEF_LENGTH = 80

/** Whether one error ended the event. If not, attempts were given up and the last error is the last attempt's. */
const isOwnError = (event: string) =>
  `substr(${event}.last_error, 1, length(${event}.failure_code)) = ${event}.failure_code`

/** `HTTP 410`, or `RETRIES_EXHAUSTED: HTTP 503` after any number of attempts. */
export function briefReason(event: string): string {
  return `CASE WHEN ${isOwnError(event)} THEN ${event}.failure_code
    ELSE ${event}.failure_code || ': ' || substr(${event}.last_error, 1, ${BRIEF_LENGTH}) END`
}

/** The code and the whole error. */
export function fullReason(event: string): string {
  return `CASE WHEN ${isOwnError(event)} THEN ${event}.last_error
    ELSE ${event}.failure_code || ': ' || ${event}.last_error END`
}

/** How a dialect writes what the state of a failure depends on. */
export type ReplaySql = {
  /** `2026` of `2026~1`. */
  original: (column: string) => string
  /** 1 of `2026~1`, 0 of `2026`. */
  number: (column: string) => string
  settledTable: string
  occasionsTable: string
  dismissalsTable: string
  openTable: string
  /** True for the rows of `openTable` that are open. */
  isOpen: (event: string) => string
}

/** True if `other` is an event of the occurrence that `event` is of: the original or one of its replays. */
export function isSameOccurrence(
  { original }: Pick<ReplaySql, 'original'>,
  other: string,
  event: string,
): string {
  return `${other}.occasion_id = ${event}.occasion_id AND ${original(`${other}.occurrence`)} = ${original(`${event}.occurrence`)}`
}

/**
 * True if an operator has dismissed the group of the failed event since. Reads its settled row: a view may have its instants in
 * another form. Its channel is that of its occasion if none is recorded.
 */
export function isDismissed(
  { settledTable, occasionsTable, dismissalsTable }: ReplaySql,
  event: string,
): string {
  return `EXISTS (SELECT 1 FROM ${dismissalsTable} AS dismissed, ${settledTable} AS gone, ${occasionsTable} AS owner
    WHERE gone.id = ${event}.id AND owner.id = gone.occasion_id AND dismissed.reason = ${briefReason('gone')}
      AND dismissed.channel = coalesce(CAST(coalesce(gone.channel_id, owner.channel_id) AS text), 'unknown')
      AND dismissed.failed_before > gone.executed_at)`
}

/**
 * The state of a failed event; null if a later replay failed too, or its group was dismissed. Reads the partial indexes of replays only, so a failure
 * without a replay costs a look at an index of few entries.
 */
export function failureState(sql: ReplaySql, event: string): string {
  const replay = (table: string) =>
    `SELECT 1 FROM ${table} AS replay WHERE replay.replay_of IS NOT NULL AND ${isSameOccurrence(sql, 'replay', event)}`
  const later = `${sql.number('replay.occurrence')} > ${sql.number(`${event}.occurrence`)}`
  return `CASE WHEN ${isDismissed(sql, event)} THEN NULL
    WHEN EXISTS (${replay(sql.settledTable)} AND replay.status = 'COMPLETED') THEN 'delivered'
    WHEN EXISTS (${replay(sql.openTable)} AND ${sql.isOpen('replay')}) THEN 'replaying'
    WHEN EXISTS (${replay(sql.settledTable)} AND replay.status = 'FAILED' AND ${later}) THEN NULL
    ELSE 'unresolved' END`
}
