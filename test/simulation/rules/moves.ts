// Invariants of the record of moves.
import { changesOf, type EventRow, type OccasionRow } from '../record/ledger.ts'
import type { Entry, Row } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

type MoveRow = Row & { occasion_id: string; event_id: string; version: number }
type Commit = Entry & { kind: 'commit' }

const SLOT = ['occurrence', 'target_at', 'offset_seconds', 'timezone']

const slotIn = (row: object, prefix = '') => SLOT.map((name) => (row as Row)[`${prefix}${name}`]).join(' ')
const NO_SLOT = slotIn({})

/** A change of an open event as its record must say it: event, version, from, to. */
function expectedIn({ op, rows }: Commit): string[] {
  const occasions = changesOf<OccasionRow>(rows, 'occasions')
  const created = new Set(occasions.flatMap(({ before, after }) => (before === null ? [after!.id] : [])))
  return changesOf<EventRow>(rows, 'events').flatMap(({ before, after }) => {
    if (before !== null && after !== null) {
      const [from, to] = [slotIn(before), slotIn(after)]
      return from === to ? [] : [[after.id, after.version, from, to].join(', ')]
    }
    // A change of a person can end an occasion or put it ahead again. Every other operation settles, replays or erases.
    const isPlanning = op === 'saveOccasion' || op === 'updateUser'
    if (isPlanning && before !== null)
      return [[before.id, before.version + 1, slotIn(before), NO_SLOT].join(', ')]
    const isAdded = isPlanning && before === null && !created.has(after!.occasion_id)
    return isAdded ? [[after!.id, after!.version, NO_SLOT, slotIn(after!)].join(', ')] : []
  })
}

function wrongCommit(entry: Commit): string | null {
  const recorded = new Set<string>()
  for (const { before, after } of changesOf<MoveRow>(entry.rows, 'moves')) {
    if (before !== null && after !== null) return `The record of a move of ${before.event_id} was changed.`
    if (after !== null)
      recorded.add([after.event_id, after.version, slotIn(after, 'from_'), slotIn(after, 'to_')].join(', '))
  }
  const expected = new Set(expectedIn(entry))
  return (
    firstWrong(expected, (change) => (recorded.has(change) ? null : `Not recorded: ${change}.`)) ??
    firstWrong(recorded, (change) => (expected.has(change) ? null : `Recorded, but not done: ${change}.`))
  )
}

/** The records of an event, one after another, end where the event is. */
function wrongAtEnd({ tables }: Entry & { kind: 'end' }): string | null {
  const byEvent = new Map<string, MoveRow[]>()
  for (const move of tables.moves as MoveRow[])
    byEvent.set(move.event_id, [...(byEvent.get(move.event_id) ?? []), move])
  return firstWrong(tables.events as unknown as EventRow[], (event) => {
    const moves = (byEvent.get(event.id) ?? []).sort((a, b) => a.version - b.version)
    let at: string | null = null
    for (const move of moves) {
      const from = slotIn(move, 'from_')
      if (at !== null && from !== at) return `${event.id} was moved from ${from}, but was at ${at}.`
      at = slotIn(move, 'to_')
    }
    return at === null || at === slotIn(event)
      ? null
      : `${event.id} was moved to ${at}, not ${slotIn(event)}.`
  })
}

const movesAreRecorded: Rule = {
  name: 'moves are recorded',
  description:
    'Every change of an open event is recorded in the transaction that makes it, and the records of an event end where it is due.',
  watch: () => (entry) => {
    if (entry.kind === 'commit') return wrongCommit(entry)
    return entry.kind === 'end' ? wrongAtEnd(entry) : null
  },
}

export const MOVE_RULES: readonly Rule[] = [movesAreRecorded]
