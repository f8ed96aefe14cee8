// The invariants of people who are created and deleted.

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

const onePersonForEachRequest: Rule = {
  name: 'one person for each request',
  description: 'All tries of one request create at most one person, and none after the person was deleted.',
  watch() {
    const created = new Set<string>()
    return (entry) => {
      if (entry.kind !== 'commit') return null
      // Each request has a first name of its own.
      return firstWrong(changesOf<UserRow>(entry.rows, 'users'), ({ before, after }) => {
        if (before !== null || !created.has(after!.first_name)) {
          if (before === null) created.add(after!.first_name)
          return null
        }
        return `${after!.first_name} was created again, as ${after!.id}.`
      })
    }
  },
}

const noBirthdayWithoutDate: Rule = {
  name: 'no birthday without a date',
  description: 'Once the date of birth of a person is removed, no birthday of theirs is left to be claimed.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    const changed = changesOf<UserRow>(entry.rows, 'users').map(({ after }) => after)
    const without = new Set(changed.flatMap((user) => (user?.date_of_birth === null ? [user.id] : [])))
    if (without.size === 0) return null
    return firstWrong(ledger.events.values(), ({ id, occasion_id, status, replay_of }) => {
      const occasion = ledger.occasionOf(occasion_id)
      if (status !== 'PENDING' || replay_of !== null || !without.has(occasion?.user_id ?? '')) return null
      const isTheirs = occasion!.type === 'BIRTHDAY' && occasion!.date === null
      return isTheirs ? `${id} is planned, and its person has no date of birth.` : null
    })
  },
}

export const PEOPLE_RULES: readonly Rule[] = [
  deletedPersonIsErased,
  onePersonForEachRequest,
  noBirthdayWithoutDate,
]
