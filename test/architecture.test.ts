// Holds the shape of the source tree: who may import whom, and who may look at the clock, the dice or the environment.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const SOURCE = new URL('../src/', import.meta.url).pathname

/** What each part may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  engine: ['ports', 'domain'],
  app: ['engine', 'ports', 'domain'],
  stores: ['ports', 'domain'],
  'stores/sqlite-dialect': ['stores', 'ports', 'domain'],
  'stores/sqlite': ['stores/sqlite-dialect', 'stores', 'ports', 'domain'],
  'stores/d1': ['stores/sqlite-dialect', 'stores', 'ports', 'domain'],
  'stores/postgres': ['stores', 'ports', 'domain'],
  receiver: [],
  'channels/webhook': ['receiver', 'ports', 'domain'],
  'channels/email': ['ports', 'domain'],
  queues: ['ports', 'domain'],
  http: ['receiver', 'app', 'engine', 'ports', 'domain'],
  telemetry: ['ports', 'domain'],
  runtimes: [
    'http',
    'stores/sqlite',
    'stores/d1',
    'stores/postgres',
    'channels/webhook',
    'channels/email',
    'queues',
    'receiver',
    'telemetry',
    'app',
    'engine',
    'ports',
    'domain',
  ],
  rehearsal: ['stores/sqlite', 'app', 'engine', 'ports', 'domain'],
  client: [],
  cli: ['client', 'receiver', 'runtimes', 'rehearsal', 'http', 'app', 'engine', 'domain'],
}

/** Only these may read the clock, the dice and the environment. */
const ENTRY_POINTS = ['runtimes', 'cli', 'receiver']
const IMPURE = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.env\b|\bperformance\.now\b|\bIntl\./

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

function partOf(path: string): string {
  const parts = Object.keys(MAY_IMPORT).filter((part) => path.startsWith(`${part}/`))
  return parts.sort((a, b) => b.length - a.length)[0] ?? path
}

function read(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8')
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

describe('the source tree', () => {
  it('has no file outside the parts that are named', () => {
    expect(files.filter((file) => !(partOf(file) in MAY_IMPORT))).toEqual([])
  })

  it('imports in one direction only', () => {
    const wrong = files.flatMap((file) => {
      const from = partOf(file)
      return importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(file), name)))
        .filter((target) => !target.startsWith('..'))
        .filter((target) => partOf(target) !== from && !MAY_IMPORT[from]?.includes(partOf(target)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('keeps domain, ports, engine and app free of packages and of Node, but for the language of templates', () => {
    const wrong = files
      .filter((file) => /^(domain|ports|engine|app)\//.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => !name.startsWith('.'))
          .filter((name) => !(file.startsWith('domain/messages/liquid') && name === 'liquidjs'))
          .map((name) => `${file} imports ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('publishes a core that needs no package', () => {
    const reached = new Set(['domain/core.ts'])
    for (const file of reached) {
      for (const name of importsOf(file)) {
        expect(name.startsWith('.'), `${file} imports ${name}`).toBe(true)
        if (name.endsWith('.ts')) reached.add(normalize(join(dirname(file), name)))
      }
    }
    expect(reached.size).toBeGreaterThan(10)
  })

  it('keeps the API free of Node, so that it runs everywhere', () => {
    const wrong = files
      .filter((file) => file.startsWith('http/'))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => name.startsWith('node:'))
          .map((name) => `${file}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('reads clock, dice and environment in the entry points alone', () => {
    const wrong = files
      .filter((file) => !ENTRY_POINTS.includes(partOf(file)))
      .filter((file) => IMPURE.test(withoutComments(read(file))))
    expect(wrong).toEqual([])
  })

  it('has only types in its ports', () => {
    const wrong = files
      .filter((file) => file.startsWith('ports/'))
      .filter((file) => /^export (?:async )?(?:function|const|let|class)/m.test(read(file)))
    expect(wrong).toEqual([])
  })

  it('opens every file with a line that says what it owns', () => {
    expect(files.filter((file) => !/^(#!.*\n)?\/\/ /.test(read(file)))).toEqual([])
  })
})
