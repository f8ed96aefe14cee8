// The cursor of a replan in parts, as a timezone record stores it: the release of the table that plans, and how far it has come.
import type { ZoneRecord } from '../../ports/store.ts'

type ReplanProgress =
  | { kind: 'none' }
  /** The people up to and including this id were checked; null: none yet. */
  | { kind: 'begun'; after: string | null }
  /** Everyone was checked since the rules last changed. */
  | { kind: 'done' }

const DONE = 'done'

/** A cursor of another release counts as none: its people have to be checked again. */
export function readReplanCursor({ replanCursor }: ZoneRecord, release: string): ReplanProgress {
  const [of, after] = replanCursor?.split(' ') ?? []
  if (of !== release) return { kind: 'none' }
  return after === DONE ? { kind: 'done' } : { kind: 'begun', after: after === '' ? null : after! }
}

export function writeReplanCursor(progress: ReplanProgress, release: string): string | null {
  if (progress.kind === 'none') return null
  return `${release} ${progress.kind === 'done' ? DONE : (progress.after ?? '')}`
}
