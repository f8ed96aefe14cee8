// The generator of mutants: each operator changes one place, and types, imports and telemetry do not change.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applied, mutantsIn } from './mutants.ts'
import { stagesOf } from './suites.ts'

const changed = (text: string) =>
  mutantsIn('src/example.ts', text).map((mutant) => `${mutant.operator}: ${applied(text, mutant)}`)

describe('mutants', () => {
  it.each([
    ['const late = now > at', ['swap operator: const late = now >= at']],
    [
      'if (a && b) f()',
      [
        'negate condition: if (!(a && b)) f()',
        'swap operator: if (a || b) f()',
        'drop statement: if (a && b) ;',
      ],
    ],
    ['const x = await f()', ['drop await: const x = (f())']],
    ['const x = f(a, b)', ['drop argument: const x = f(a)']],
    ['const TTL_MS = 5_000', ['change number: const TTL_MS = (5_000 * 10)']],
    ['const x = { durable: true }', ['flip boolean: const x = { durable: false }']],
    ['const x = a ? b : c', ['negate condition: const x = !(a) ? b : c']],
    [
      "const SQL = 'UPDATE e SET v = v + 1 WHERE id = ?1 AND until <= ?2 AND v = ?3'",
      [
        "drop SQL predicate: const SQL = 'UPDATE e SET v = v + 1 WHERE id = ?1  AND v = ?3'",
        "drop SQL predicate: const SQL = 'UPDATE e SET v = v + 1 WHERE id = ?1 AND until <= ?2 '",
        "first SQL predicate: const SQL = 'UPDATE e SET v = v + 1 WHERE true AND until <= ?2 AND v = ?3'",
        "SQL boundary: const SQL = 'UPDATE e SET v = v + 1 WHERE id = ?1 AND until < ?2 AND v = ?3'",
        "SQL step: const SQL = 'UPDATE e SET v = v WHERE id = ?1 AND until <= ?2 AND v = ?3'",
      ],
    ],
  ])('of %s', (text, expected) => {
    expect(changed(text)).toEqual(expected)
  })

  it.each(["import { a } from './b.ts'", 'type Status = 200 | 404', 'telemetry({ count: 1 })'])(
    'leave %s alone',
    (text) => {
      expect(changed(text)).toEqual([])
    },
  )

  it('have an id that stays the same when other lines change', () => {
    const pad =
      '// A comment that is longer than the text around a mutant that its id is made of, on either side of it.\n'
    const [before] = mutantsIn('src/example.ts', `${pad}const late = now > at\n${pad}`)
    const [after] = mutantsIn('src/example.ts', `\n\n${pad}const late = now > at\n${pad}`)
    expect([after!.id, after!.line]).toEqual([before!.id, before!.line + 2])
  })

  it('are judged by test files that exist', () => {
    const files = globSync('src/**/*.ts')
    const stages = files.flatMap((file) => stagesOf(file) ?? [])
    expect(stages.length).toBeGreaterThan(50)
    for (const path of new Set(stages.flatMap((stage) => stage.files)))
      expect(globSync(path), path).toHaveLength(1)
  })
})
