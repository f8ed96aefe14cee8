// Finds the setting or command that a misspelt name stands for.
import { editDistance } from '../domain/time/edit-distance.ts'
import { readConfig } from '../runtimes/config/config.ts'
import type { Entry } from './entry.ts'

/** The known word that differs least; null if all differ by more than two letters, or one in a short word. */
export function nearest(word: string, known: readonly string[]): string | null {
  let limit = word.length < 6 ? 1 : 2
  let found: string | null = null
  for (const one of known) {
    const steps = editDistance(word, one, limit)
    if (steps > limit) continue
    found = one
    limit = steps - 1
    if (limit < 0) break
  }
  return found
}

/** The variables that only commands read. */
const COMMAND_VARIABLES = ['TERCE_URL', 'TERCE_API_KEY']

function settingNames(): string[] {
  return readConfig({}).settings.map(({ name }) => name)
}

/** Variables that are no settings but look like one. A setting that is set too shows that the other name is meant. */
export function misspeltSettings(env: Entry['env']): { name: string; meant: string }[] {
  const known = [...settingNames(), ...COMMAND_VARIABLES]
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name.toUpperCase(), known)
      return meant === null || env[meant] !== undefined ? [] : [{ name, meant }]
    })
}
