// The invariant of deleted people.

import { changesOf, type UserRow } from '../record/ledger.ts'
import type { Row } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

const deletedPersonIsErased: Rule = {
  name: 'deleted person is erased',
  description: 'No table keeps a row of a deleted person, and no event of theirs is claimed.',
  watch() {
    const gone = new Set<string>()
    return (entry, ledger) => {
      if (entry.kind === 'commit') {
        for (const { after, before } of changesOf<UserRow>(entry.rows, 'users'))
          if (after === null) gone.add(before!.id)
        return firstWrong(entry.rows, ({ table, after }) => {
          if (table === 'events' && after !== null) {
            const owner = ledger.occasionOf(after.occasion_id as string)?.user_id
            return gone.has(owner ?? '') ? `${after.id} of ${owner} was written after the deletion.` : null
          }
          return null
        })
      }
      if (entry.kind !== 'end') return null
      const events = new Set(entry.tables.events!.map(({ id }) => id))
      const occasions = new Set(entry.tables.occasions!.map(({ id }) => id))
      const text = JSON.stringify(entry.tables)
      return (
        firstWrong(gone, (userId) => (text.includes(userId) ? `${userId} is still in a table.` : null)) ??
        orphan(entry.tables.events!, 'occasion_id', occasions) ??
        orphan(entry.tables.payloads!, 'event_id', events) ??
        orphan(entry.tables.attempts!, 'event_id', events) ??
        orphan(entry.tables.moves!, 'occasion_id', occasions)
      )
    }
  },
}

function orphan(rows: readonly Row[], column: string, known: ReadonlySet<unknown>): string | null {
  return firstWrong(rows, (row) =>
    known.has(row[column]) ? null : `A row is left behind: ${JSON.stringify(row)}.`,
  )
}

export const PEOPLE_RULES: readonly Rule[] = [deletedPersonIsErased]
