// What nothing but tests uses: exports of src, and optional settings.
import { posix } from 'node:path'
import { budgetsFile, budgetsIn, staleIn } from '../support/budgets-file.ts'
import { exportsOf, usesOf } from '../support/exports.ts'
import { optionalSettings, settingsGiven } from '../support/settings.ts'
import { isIn, isScript, type SourceFile } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

export const USED_EXPORTS: Guard = {
  rule: 'each value that a file of src exports is used by another file that is no test, or by users of the package',
  check(files) {
    const listed = budgetsIn(files).exports ?? []
    const unused = exportsOfTests(files)
    return [
      ...unused.filter((one) => !listed.includes(one)).map((one) => `${one} is used by no file but tests`),
      ...staleIn(listed, new Set(unused), 'is used, or gone'),
    ]
  },
  planted: [
    {
      violation: 'an export that nothing imports, and a listed one that is used again',
      tree: {
        ...budgetsFile({ exports: ['src/engine/pace.ts pace', 'src/engine/pace.ts old'] }),
        'package.json': JSON.stringify({ exports: { '.': { default: './dist/library/index.js' } } }),
        'src/library/index.ts': "export const createTerce = 1\nexport { claim } from '../engine/claim.ts'",
        'src/engine/claim.ts':
          "import { pace } from './pace.ts'\nexport type Claim = 1\nexport const claim = 1, unused = 2",
        'src/engine/pace.ts':
          'export function pace() {}\nexport const old = 1\nconst local = 1\nexport { local }',
        'src/engine/all.ts': "export const a = 1\nexport const b = await import('./lazy.ts')",
        'src/engine/lazy.ts': 'export const c = 1',
        'scripts/build.ts': "import * as all from '../src/engine/all.ts'",
      },
      reported: [
        'src/engine/claim.ts unused is used by no file but tests',
        'src/engine/pace.ts local is used by no file but tests',
        'src/engine/pace.ts pace is used, or gone: run npm run budgets',
      ],
    },
  ],
}

/** Their options are set by applications, and those of a command by the person who types it. */
const SET_BY_USERS = /^src\/(?:library|client|receiver|cli)\//

/** Set by tests alone, with the reason. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  'src/engine/queue/consumer.ts retryMs': 'the contract of queues retries without waiting',
}

export const SETTINGS_ARE_SET: Guard = {
  rule: 'each optional setting of a function of src is given a value in src',
  check(files) {
    const scripts = files.filter(isScript).filter(isIn('src'))
    const given = new Set(scripts.flatMap(settingsGiven))
    return scripts
      .filter(({ path }) => !SET_BY_USERS.test(path))
      .flatMap((file) => optionalSettings(file).map((name) => ({ name, at: `${file.path} ${name}` })))
      .filter(({ name, at }) => !given.has(name) && !(at in FOR_TESTS))
      .map(({ at }) => `${at} is given a value by no file of src`)
  },
  planted: [
    {
      violation: 'a setting that is declared, read and passed on, and given a value by nobody',
      tree: {
        'src/engine/engine.ts': `export type EngineSettings = { claimAhead?: number; busyLingerMs?: number; types?: string[] }
          const { claimAhead = 0, types } = settings
          createSettler({ busyLingerMs: settings.busyLingerMs, types, claimAhead })`,
        'src/engine/settle.ts':
          'function createSettler(settings: { busyLingerMs?: number; isBusy?: () => boolean }) {}',
        'src/runtimes/node/worker.ts':
          "const types = ['BIRTHDAY']\nstartEngine({ types, isBusy: () => true })\nfunction f(item: { lingerMs?: number }) {}",
        'src/library/library.ts': 'export type TerceOptions = { basePath?: string }',
      },
      reported: [
        'src/engine/engine.ts claimAhead is given a value by no file of src',
        'src/engine/engine.ts busyLingerMs is given a value by no file of src',
        'src/engine/settle.ts busyLingerMs is given a value by no file of src',
      ],
    },
  ],
}

/** The exports of src that no other file uses. Entries of the package are used by its users. */
export function exportsOfTests(files: readonly SourceFile[]): string[] {
  const users = files.filter((file) => isScript(file) && !file.path.startsWith('test/'))
  const used = new Set(users.flatMap(usesOf))
  const entries = new Set(entriesIn(files).values())
  return users
    .filter(isIn('src'))
    .filter(({ path }) => !entries.has(path) && !used.has(`${path} *`))
    .flatMap((file) => exportsOf(file).map((name) => `${file.path} ${name}`))
    .filter((one) => !used.has(one))
}

/** Name of an entry of the package, such as `terce/client` → its source file. */
export function entriesIn(files: readonly SourceFile[]): Map<string, string> {
  const { exports } = JSON.parse(files.find(({ path }) => path === 'package.json')!.text)
  const built = Object.entries<{ default?: string }>(exports).filter(([, entry]) => entry.default)
  return new Map(
    built.map(([name, entry]) => [
      posix.join('terce', name),
      posix.normalize(entry.default!).replace(/^dist(.*)\.js$/, 'src$1.ts'),
    ]),
  )
}
