// What a worker may still act on that read it a while ago: people and templates as they were lately.

import { MINUTE } from '../../support/fixtures.ts'
import { builtInTexts, textFor, wordsFor } from '../oracle/expected-text.ts'
import { changesOf, type OccasionRow, type TemplateRow, type UserRow } from './ledger.ts'
import type { Entry } from './trace.ts'

/** What a person may be told: the words, or null for a text that cannot be rendered for them. */
export type Telling = { words: string | null; email: string | null }

export type Recent = {
  /** Every version of a person that was true lately, with every text that was stored lately, unless it has its own. */
  tellings(occasion: OccasionRow, now: number, belated: boolean | null): Telling[]
  take(entry: Entry): void
}

/** Several pauses in a row, each of minutes. */
const LATELY_MS = 30 * MINUTE

const NONE: ReadonlyMap<string, string> = new Map()

type Version<T> = { value: T; until: number }

export function createRecent(): Recent {
  const people = new Map<string, Version<UserRow>[]>()
  const texts: Version<ReadonlyMap<string, string>>[] = [{ value: NONE, until: Number.POSITIVE_INFINITY }]

  return {
    tellings({ user_id, type, template }, now, belated) {
      const lately = <T>(versions: readonly Version<T>[]) =>
        versions.filter(({ until }) => until >= now - LATELY_MS).map(({ value }) => value)
      // Texts are only ever stored for birthdays.
      const stored = type === 'BIRTHDAY' && template === null ? lately(texts) : [NONE]
      return lately(people.get(user_id) ?? []).flatMap((person) =>
        stored.flatMap((texts) => {
          const own = template ?? textFor(person.language, texts)
          const all = own === null ? builtInTexts(type, belated) : [own]
          return all.map((text) => ({ words: wordsFor(text, person), email: person.email }))
        }),
      )
    },
    take(entry) {
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
