// How the commands write counts, durations and the place of a database.
import type { Config } from '../../runtimes/config/config.ts'

/** `99,995` */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 event`, `1,200 events` */
export function countEvents(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'event' : 'events'}`
}

/** `1 person`, `1,200 people` */
export function countPeople(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'person' : 'people'}`
}

/** `412 ms`, `1.4 s`, `12 min`, `3 h`, `2 days` */
export function shortDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  if (ms < 2 * 86_400_000) return `${Math.floor(ms / 3_600_000)} h`
  return `${Math.floor(ms / 86_400_000)} days`
}

/** A file path, or a PostgreSQL URL without user and password. */
export function describeDatabase(database: Config['database']): string {
  if (database.kind === 'sqlite') return database.path
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}

/** Ids cut to the part with their counter, such as `70d2-8169-02`: the time before it and the end after it repeat. */
export function shortIds(text: string): string {
  return text.replaceAll(/\b[\da-f]{8}-[\da-f]{4}-([\da-f]{4}-[\da-f]{4}-[\da-f]{2})[\da-f]{10}\b/g, '$1')
}

/** True for an id as `shortIds` writes it. */
export function isShortId(text: string): boolean {
  return /^[\da-f]{4}-[\da-f]{4}-[\da-f]{2}$/.test(text)
}
