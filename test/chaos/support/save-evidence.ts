// Saves the evidence of a run beside its logs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from './evidence.ts'
import type { Summary } from './summary.ts'

export function keep(folder: string, { tables, steps, people }: Evidence, summary: Summary): void {
  const write = (name: string, what: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(what, null, 1))
  write('summary.json', summary)
  write('database.json', { ...tables, steps })
  write('people.json', people)
}
