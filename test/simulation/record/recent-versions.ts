// Recent versions of people and templates: a worker may still use one that it read a while ago.

import { MINUTE } from '../../support/fixtures.ts'
import { builtInTexts, renderedFor, textFor } from '../oracle/expected-text.ts'
import { changesOf, type OccasionRow, type TemplateRow, type UserRow } from './ledger.ts'
import type { Entry } from './trace.ts'

/** A message that a person may get. The text is null if it cannot be rendered for them. */
export type PossibleMessage = { text: string | null; email: string | null }

export type Recent = {
  /** Every recent version of the person with every recently stored text, or with the occasion's own text. */
  possibleMessages(occasion: OccasionRow, now: number, belated: boolean | null): PossibleMessage[]
  apply(entry: Entry): void
}

/** Covers several pauses of minutes in a row. */
const RECENT_MS = 30 * MINUTE

const NONE: ReadonlyMap<string, string> = new Map()

type Version<T> = { value: T; until: number }

export function createRecent(): Recent {
  const people = new Map<string, Version<UserRow>[]>()
  const texts: Version<ReadonlyMap<string, string>>[] = [{ value: NONE, until: Number.POSITIVE_INFINITY }]

  return {
    possibleMessages({ user_id, type, template }, now, belated) {
      const recent = <T>(versions: readonly Version<T>[]) =>
        versions.filter(({ until }) => until >= now - RECENT_MS).map(({ value }) => value)
      // Texts are only ever stored for birthdays.
      const stored = type === 'BIRTHDAY' && template === null ? recent(texts) : [NONE]
      return recent(people.get(user_id) ?? []).flatMap((person) =>
        stored.flatMap((texts) => {
          const own = template ?? textFor(person.language, texts)
          const all = own === null ? builtInTexts(type, belated) : [own]
          return all.map((text) => ({ text: renderedFor(text, person), email: person.email }))
        }),
      )
    },
    apply(entry) {
      if (entry.kind !== 'commit') return
      for (const { after } of changesOf<UserRow>(entry.rows, 'users')) {
        if (after === null) continue
        const versions = people.get(after.id) ?? []
        people.set(after.id, versions)
        follow(versions, after, entry.at)
      }
      const written = changesOf<TemplateRow>(entry.rows, 'templates')
      if (written.length === 0) return
      const next = new Map(texts.at(-1)!.value)
      for (const { before, after } of written) {
        if (after === null) next.delete(before!.language)
        else next.set(after.language, after.body)
      }
      follow(texts, next, entry.at)
    },
  }
}

function follow<T>(versions: Version<T>[], value: T, at: number): void {
  const last = versions.at(-1)
  if (last !== undefined) last.until = at
  versions.push({ value, until: Number.POSITIVE_INFINITY })
}
