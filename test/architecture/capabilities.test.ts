// What a user of Terce can call, open, set and import, one line each. A new line needs a sentence in CHANGELOG.md.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { apiDocument } from '../../scripts/api-document.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { baseOf, runGit } from '../support/tiers/affected.ts'
import { entriesIn } from './guards/unused.ts'
import { importableFrom } from './support/exports.ts'
import { readSourceFiles } from './support/source-file.ts'

const GOLDEN = 'test/golden/capabilities.txt'

function commands(): string[] {
  const program = new Command('terce')
  for (const add of Object.values(COMMANDS).flat()) add(program, { env: {}, now: 0 })
  const namesOf = (command: Command, path: string): string[] =>
    command.commands.flatMap((one) => [`${path} ${one.name()}`, ...namesOf(one, `${path} ${one.name()}`)])
  return namesOf(program, 'terce')
}

async function operations(): Promise<string[]> {
  const { paths = {} } = await apiDocument()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

async function pages(): Promise<string[]> {
  // The types of the dashboard are those of a browser.
  const router = '../../web/src/router.tsx'
  const { PAGES, SETTINGS_TABS } = await import(/* @vite-ignore */ router)
  return [...PAGES, ...SETTINGS_TABS.map((tab: string) => `settings/${tab}`)]
}

/** Those that the server reads, and those that a form of it reads by name. */
function settings(): string[] {
  const read = new Set<string>()
  const get = (env: Record<string, string>, name: string) => {
    read.add(name)
    return env[name]
  }
  readConfig(new Proxy<Record<string, string>>({ DATABASE_URL: 'postgres://localhost/terce' }, { get }))
  const named = readSourceFiles(['src/runtimes', 'src/cli', 'src/library']).flatMap(({ text }) =>
    [...text.matchAll(/\benv\.([A-Z][A-Z\d_]+)\b/g)].map(([, name]) => name!),
  )
  return [...new Set([...read, ...named])]
}

function packageExports(): string[] {
  const read = (path: string) => readSourceFiles([path])[0]!
  return [...entriesIn([read('package.json')])].flatMap(([name, path]) =>
    importableFrom(path, read).map((one) => `${name} ${one}`),
  )
}

async function capabilities(): Promise<string[]> {
  const kinds = {
    command: commands(),
    operation: await operations(),
    page: await pages(),
    setting: settings(),
    export: packageExports(),
  }
  const lines = Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`))
  return lines.sort()
}

it('the commands, operations, pages, settings and exports are those of test/golden/capabilities.txt', async () => {
  await expect(`${(await capabilities()).join('\n')}\n`).toMatchFileSnapshot('../golden/capabilities.txt')
})

/** Lines that are new, and that the changelog does not name. A page and an export are named by their last word. */
function unannounced(before: string, now: string, changelog: string): string[] {
  const known = new Set(before.split('\n'))
  const nameOf = (line: string) =>
    /^(?:export|page) /.test(line) ? line.split(/[ /]/).at(-1)! : line.slice(line.indexOf(' ') + 1)
  return now
    .split('\n')
    .filter((line) => !known.has(line) && !changelog.toLowerCase().includes(nameOf(line).toLowerCase()))
}

it('CHANGELOG.md names each capability that was added since the base of the change', () => {
  const unreleased = readFileSync('CHANGELOG.md', 'utf8').split('\n## ')[1]!
  const base = baseOf('HEAD')
  // A clone without history has no base.
  const hadList = base !== null && runGit('ls-tree', base, GOLDEN) !== ''
  const before = hadList ? runGit('show', `${base}:${GOLDEN}`) : readFileSync(GOLDEN, 'utf8')
  expect(unannounced(before, readFileSync(GOLDEN, 'utf8'), unreleased)).toEqual([])
})

it('a capability without a sentence in the changelog is found', () => {
  const now = 'command terce dance\ncommand terce tail\nexport terce/core leap\noperation GET /step/{id}'
  const found = unannounced('command terce tail', now, '- `terce dance` dances by `POST /step/{id}`.')
  expect(found).toEqual(['export terce/core leap', 'operation GET /step/{id}'])
})
