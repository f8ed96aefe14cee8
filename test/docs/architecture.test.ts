// Promises about docs/architecture.md and docs/data-model.md: the paths exist, the tables are those of the schema, the states those of the code.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVENT_STATUSES, isTerminal, isValidTransition } from '../../src/domain/events/event-status.ts'
import { mermaidProblems } from './support/mermaid.ts'
import { readPage } from './support/page.ts'
import { missingPaths } from './support/paths.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const page = readPage('architecture.md')
const model = readPage('data-model.md')
const diagrams = [page, model].flatMap(({ blocks }) => blocks('mermaid'))
const diagramOf = (kind: string) => diagrams.find((diagram) => diagram.startsWith(kind))!

/** The columns of each table, over both dialects. */
const schema = new Map<string, Set<string>>()
for (const dialect of ['postgres', 'sqlite']) {
  const text = readFileSync(`${ROOT}test/golden/${dialect}-schema.sql`, 'utf8').replaceAll('`', '')
  // A partition has the columns of its table.
  const dump = text
    .split(/\n(?=CREATE )/)
    .filter((statement) => !statement.includes(') PARTITION OF '))
    .join('\n')
    .replaceAll(/ PARTITION BY RANGE \(\w+\)/g, '')
  for (const [, table, body] of dump.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\)[^()]*;/g)) {
    const columns = [...body!.matchAll(/(?:^|,)\s*(\w+) [a-zA-Z]/g)].map((match) => match[1]!)
    schema.set(table!, new Set([...(schema.get(table!) ?? []), ...columns]))
  }
}

describe('the page of the architecture', () => {
  it('names only files and folders that exist', () => {
    expect(missingPaths(page.text + model.text)).toEqual([])
  })

  it('names every folder of the source in its layout', () => {
    const folders = readdirSync(`${ROOT}src`).map((name) => `src/${name}`)
    expect(folders.filter((folder) => !page.text.includes(`| \`${folder}\` |`))).toEqual([])
  })

  it('has diagrams that Mermaid reads', () => {
    expect(diagrams).toHaveLength(8)
    expect(diagrams.flatMap(mermaidProblems)).toEqual([])
  })

  it('draws each table of the schema, with columns that it has', () => {
    const drawn = [...diagramOf('erDiagram').matchAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}/gm)]
    expect(drawn.map((match) => match[1]).sort()).toEqual([...schema.keys()].sort())
    for (const [, table, body] of drawn) {
      const columns = [...body!.matchAll(/^\s+\w+ (\w+)/gm)].map((match) => match[1]!)
      expect([table, columns.filter((column) => !schema.get(table!)!.has(column))]).toEqual([table, []])
    }
  })

  it('describes each table of the schema', () => {
    const described = [...model.text.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])
    expect(described.sort()).toEqual([...schema.keys()].sort())
  })

  it('draws the states and transitions that the code allows', () => {
    const steps = [...diagramOf('stateDiagram').matchAll(/^ {2}(\S+) --> (\S+)/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    )
    const between = EVENT_STATUSES.flatMap((from) =>
      EVENT_STATUSES.filter((to) => isValidTransition(from, to)).map((to) => `${from} ${to}`),
    )
    const ends = EVENT_STATUSES.filter(isTerminal).map((status) => `${status} [*]`)
    expect(steps.sort()).toEqual(['[*] PENDING', ...between, ...ends].sort())
  })
})

describe('the check of diagrams', () => {
  it.each([
    ['sequenceDiagram\n  participant A as Alice\n  A->>B: hello', 'not a participant: B'],
    ['sequenceDiagram\n  participant A as Alice\n  A->A: hello', 'A->A: hello'],
    [
      'sequenceDiagram\n  participant A as Alice\n  loop forever\n  A->>A: hello',
      '1 blocks opened, 0 closed',
    ],
    ['stateDiagram-v2\n  PENDING -> PROCESSING', 'PENDING -> PROCESSING'],
    ['erDiagram\n  users has occasions', 'users has occasions'],
    ['flowchart TD\n  a --> b', 'unknown kind of diagram: flowchart TD'],
  ])('finds what is wrong with %j', (diagram, problem) => {
    expect(mermaidProblems(diagram)).toEqual([problem])
  })
})
