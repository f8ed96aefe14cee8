// Tables about the project itself: import directions, commands, exit codes, rules of the simulation and of chaos.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAY_IMPORT } from '../../architecture/guards/import-direction.ts'
import { COMMAND, run } from '../../cli/support/run-command.ts'
import { MISTAKES } from '../../simulation/mistakes/mistakes.ts'
import { INVARIANTS } from '../../simulation/rules/invariants.ts'
import { readPage } from '../support/page.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const topOf = (folder: string) => folder.split('/')[0]!

describe('the layout in docs/architecture.md', () => {
  const rows = rowsOf('docs/architecture.md', 'folder', 'contents', 'may import').filter(
    ([folder]) => folder !== '`web`',
  )

  /** The top folders that a top folder and its subfolders may import, by the table of the guard. */
  function allowed(folder: string): string[] {
    const targets = Object.keys(MAY_IMPORT)
      .filter((from) => topOf(from) === folder)
      .flatMap((from) => MAY_IMPORT[from]!)
    return [...new Set(targets.map(topOf))].filter((target) => target !== folder).sort()
  }

  function named(cell: string, folder: string): string[] {
    if (cell === 'nothing') return []
    const [, except] = /^all of the above but (.+)$/.exec(cell) ?? []
    const before = rows.slice(
      0,
      rows.findIndex(([name]) => spansOf(name!)[0] === `src/${folder}`),
    )
    if (except !== undefined)
      return before
        .map(([name]) => topOf(spansOf(name!)[0]!.slice(4)))
        .filter((name) => !except.includes(name))
        .sort()
    const known = Object.keys(MAY_IMPORT).map(topOf)
    return [
      ...new Set(
        [...cell.matchAll(/\b[a-z]+(?:-[a-z]+)*\b/g)]
          .map(([word]) => word)
          .filter((word) => known.includes(word)),
      ),
    ]
      .filter((name) => name !== folder)
      .sort()
  }

  it.each(rows)('%s: imports as the guard allows', (name, _contents, cell) => {
    const folder = spansOf(name!)[0]!.slice('src/'.length)
    expect(named(cell!, folder)).toEqual(allowed(folder))
  })
})

describe('the commands', () => {
  const terce = (args: string[], env: Record<string, string> = {}) =>
    run(process.execPath, [COMMAND, ...args], { cwd: ROOT, env })

  it('exit with the codes that the pages list', async () => {
    const pages = ['cli', 'operate', 'import-export', 'timezones', 'preview'].map(
      (name) => readPage(`${name}.md`).text,
    )
    for (const text of pages)
      expect(text).toMatch(
        /\b0 (success|done|if every row is imported),[\s\S]{0,60}\b1 [\s\S]{0,120}\b2 (for )?(wrong usage|invalid)/,
      )
    expect((await terce(['--version'])).code).toBe(0)
    expect((await terce(['migrate'], { DATABASE_URL: 'sqlite:/dev/null/terce.db' })).code).toBe(1)
    expect((await terce(['migrate'], { PORT: 'x' })).code).toBe(2)
    expect((await terce(['nonsense'])).code).toBe(2)
    expect((await terce(['export', '--nonsense'])).code).toBe(2)
  })
})

describe('the pages on tests', () => {
  const { text } = readPage('simulation.md')

  it('counts the invariants and the planted mistakes of the simulation', () => {
    expect(text).toContain(`${INVARIANTS.length} invariants are checked`)
    expect(text).toContain(`${MISTAKES.length} mistakes can be planted`)
  })

  it('lists the rules of chaos by name', () => {
    const folder = `${ROOT}test/chaos/rules/`
    const sources = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'))
    const names = sources.flatMap((source) =>
      [...source.matchAll(/^ {2}name: '([^']+)'/gm)].map(([, name]) => name!),
    )
    expect(
      rowsOf('docs/how-terce-is-tested.md', 'rule', 'meaning')
        .map(([name]) => name!)
        .sort(),
    ).toEqual(names.sort())
  })
})
