// What files may contain: clock and dice, ports, names of types, first lines.
import { isIn, isScript, withoutComments } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

/** A Terce for tests has a clock and dice that the test gives it. */
const ENTRY_POINTS = /^src\/(?:runtimes\/|library\/(?!testing\/)|cli\/|receiver\/|client\/)/
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\.(?:randomUUID|getRandomValues)\b|\bprocess\.env\b|\bperformance\.now\b|\bIntl\./
const VALUE = /^export (?:default |abstract |async )*(?:function|const|let|var|class|enum)\b.*/m
const OPENING_COMMENT = /^(?:#!.*\n)?\/\/ \S/

export const CLOCK_AND_DICE: Guard = {
  rule: 'only runtimes, library, cli, receiver and client read the clock, the dice, the environment or the locale data of the machine',
  check(files) {
    return files
      .filter(isIn('src'))
      .filter((file) => !ENTRY_POINTS.test(file.path))
      .flatMap((file) => {
        const found = IMPURE.exec(withoutComments(file.text))
        return found === null ? [] : [`${file.path} uses ${found[0]}`]
      })
  },
  planted: [
    {
      violation: 'a clock in the engine',
      tree: { 'src/engine/claim.ts': 'const now = Date.now() // why not' },
      reported: ['src/engine/claim.ts uses Date.now'],
    },
    {
      violation: 'dice in a store',
      tree: { 'src/stores/sqlite/store.ts': 'const id = crypto.randomUUID()' },
      reported: ['src/stores/sqlite/store.ts uses crypto.randomUUID'],
    },
    {
      violation: 'the environment in http',
      tree: { 'src/http/app.ts': 'const key = process.env.TERCE_API_KEY' },
      reported: ['src/http/app.ts uses process.env'],
    },
    {
      violation: 'dice in the runtime for tests',
      tree: { 'src/library/testing/testing.ts': 'const dice = Math.random' },
      reported: ['src/library/testing/testing.ts uses Math.random'],
    },
    {
      violation: 'the timezone data of the machine in the domain',
      tree: { 'src/domain/time/tzdb.ts': 'new Intl.DateTimeFormat()' },
      reported: ['src/domain/time/tzdb.ts uses Intl.'],
    },
  ],
}

/** The elapsed time of a machine is made of its two timers, and a run of claims is told its instants. */
const MEASURES_AGE =
  /^src\/(?:runtimes\/shared\/system-clock|stores\/sqlite-dialect\/events\/claim-cursor|engine\/deliver\/(?:deferrals|destinations|recovery|shared-states|templates))\.ts$/
const AGE_BY_WALL_CLOCK = /\bMath\.abs\([^\n]*\b(?:now|wallMs)\b[^\n]*-/

export const AGES_BY_ELAPSED_TIME: Guard = {
  rule: 'an age is measured with the elapsed time: the wall clock may be set back',
  check(files) {
    return files
      .filter(isIn('src'))
      .filter((file) => !MEASURES_AGE.test(file.path))
      .flatMap((file) => {
        const found = AGE_BY_WALL_CLOCK.exec(withoutComments(file.text))
        return found === null ? [] : [`${file.path} uses ${found[0]}`]
      })
  },
  planted: [
    {
      violation: 'a cache that looks for a clock that was set back',
      tree: { 'src/app/cached.ts': 'if (Math.abs(clock.now() - readAt) < ttlMs) return value' },
      reported: ['src/app/cached.ts uses Math.abs(clock.now() -'],
    },
    {
      violation: 'an age by an instant that was passed',
      tree: { 'src/http/server/turns.ts': 'return Math.abs((at ?? now) - readAt) < ttlMs' },
      reported: ['src/http/server/turns.ts uses Math.abs((at ?? now) -'],
    },
  ],
}

export const PORTS_OF_TYPES: Guard = {
  rule: 'ports export types only',
  check(files) {
    return files.filter(isIn('src/ports')).flatMap((file) => {
      const found = VALUE.exec(file.text)
      return found === null ? [] : [`${file.path} exports a value: ${found[0]}`]
    })
  },
  planted: [
    {
      violation: 'a function in a port',
      tree: { 'src/ports/clock.ts': '// Time.\nexport async function now() {}' },
      reported: ['src/ports/clock.ts exports a value: export async function now() {}'],
    },
    {
      violation: 'a constant in a port',
      tree: { 'src/ports/store/events.ts': 'export const LIMIT = 100' },
      reported: ['src/ports/store/events.ts exports a value: export const LIMIT = 100'],
    },
  ],
}

const EXPORTED_TYPE = /^export (?:abstract )?(?:type|interface|class|enum) (\w+)\b(?! *[,}])/gm

/** `terce/client` and `terce/receiver` are packages of their own, with the names that their users know. */
const OWN_PACKAGES = /^src\/(?:client|receiver)\//

export const ONE_TYPE_FOR_A_NAME: Guard = {
  rule: 'an exported type name is defined once in src',
  check(files) {
    const definitions = files
      .filter(isIn('src'))
      .filter(({ path }) => !OWN_PACKAGES.test(path))
      .flatMap(({ path, text }) => [...text.matchAll(EXPORTED_TYPE)].map(([, name]) => ({ name, path })))
    return [...Map.groupBy(definitions, ({ name }) => name)]
      .filter(([, all]) => all.length > 1)
      .map(([name, all]) => `${name} is defined in ${all.map(({ path }) => path).join(', ')}`)
  },
  planted: [
    {
      violation: 'a name of two types',
      tree: {
        'src/engine/queues.ts': 'export type Failure = { eventId: string }',
        'src/stores/thread.ts': 'export interface Failure {}\nexport type { Row }',
        'src/stores/rows.ts': 'export type Row = unknown[]\ntype Failure = Error',
      },
      reported: ['Failure is defined in src/engine/queues.ts, src/stores/thread.ts'],
    },
  ],
}

export const OPENING_COMMENTS: Guard = {
  rule: 'every TypeScript file that is not a test opens with a comment',
  check(files) {
    return files
      .filter(isScript)
      .filter((file) => !file.path.endsWith('.test.ts'))
      .filter((file) => !OPENING_COMMENT.test(file.text))
      .map((file) => `${file.path} opens without a comment`)
  },
  planted: [
    {
      violation: 'a file that opens with an import',
      tree: { 'src/engine/claim.ts': "import { plan } from './plan.ts'\n// Claims." },
      reported: ['src/engine/claim.ts opens without a comment'],
    },
    {
      violation: 'a file that opens with an empty comment',
      tree: { 'src/engine/claim.ts': '// \nexport {}' },
      reported: ['src/engine/claim.ts opens without a comment'],
    },
  ],
}
