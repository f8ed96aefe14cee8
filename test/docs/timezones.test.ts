// The page about timezones, as written: its commands run, and print what it shows.
import { copyFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replanIfNewer } from '../../src/app/timezones/replan.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import { loadTimezoneTable, tzdb } from '../../src/domain/time/tzdb.ts'
import { systemClock } from '../../src/runtimes/shared/system-clock.ts'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { logTelemetry } from '../../src/telemetry/log.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { OLD, populate } from '../app/timezones/support/two-tables.ts'
import { COMMAND, run, useFolder } from '../cli/support/run-command.ts'
import { startTerce } from '../runtimes/support/terce-process.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const folder = useFolder()
const page = readFileSync(join(ROOT, 'docs/timezones.md'), 'utf8')
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map((match) => ({
  language: match[1]!,
  text: match[2]!,
}))
const [show, dryRun, overHttp, build, useFile] = blocks.filter(({ language }) => language === 'sh')
const [shown, counted] = blocks.filter(({ language }) => language === 'text')

/** A database that was planned by the release before, with the people whom the page tells of. */
async function planByOld(): Promise<void> {
  const zones = ['Africa/Casablanca', 'America/Vancouver', 'Asia/Tokyo']
  const rules = Object.fromEntries(zones.map((zone) => [zone, OLD.rules(zone)]))
  const table = loadTimezoneTable({ version: OLD.version, zones: rules, links: {} })
  const store = openSqliteStore(join(folder.path, 'terce.db'))
  const planner = { ids: createIds(Math.random), table }
  const deps = { store, planner, clock: systemClock, telemetry() {}, onPlanned() {}, deliverAt: '09:00' }
  await replanIfNewer(deps)
  await populate(deps, { zones: ['Africa/Casablanca'], birthdays: ['07-10'] })
  await populate(deps, { zones: ['America/Vancouver'], birthdays: ['01-10', '07-10'] })
  await populate(deps, { zones: ['Asia/Tokyo'], birthdays: ['01-10'] })
  await store.close()
}

async function shell(script: string) {
  const terce = `terce() { "${process.execPath}" "${COMMAND}" "$@"; }\n`
  const curl = `command -v curl > /dev/null || curl() { "${process.execPath}" "${join(ROOT, 'test/docs/support/curl.ts')}" "$@"; }\n`
  const env = { DATABASE_URL: `sqlite:${join(folder.path, 'terce.db')}` }
  return run('bash', ['-euo', 'pipefail', '-c', terce + curl + script], { cwd: folder.path, env })
}

/** Years go by, and releases come: what is shown is otherwise as printed. */
const timeless = (text: string) =>
  text
    .replaceAll(/\d{4}(-\d\d-\d\dT[\d:.]+Z)/g, 'YEAR$1')
    .replaceAll(/(from )YEAR-\S+Z/g, '$1INSTANT')
    .replaceAll(/IANA \w+/g, 'IANA RELEASE')

describe('docs/timezones.md', () => {
  it('shows what differs, and what would be moved', async () => {
    await planByOld()
    for (const [command, output] of [
      [show, shown],
      [dryRun, counted],
    ]) {
      const { code, stdout } = await shell(command!.text)
      expect([code, timeless(stdout)]).toEqual([0, timeless(output!.text)])
    }
    const store = openSqliteStore(join(folder.path, 'terce.db'))
    const { items } = await store.listEvents({ limit: 10, cursor: null })
    await store.close()
    expect(items.map(({ tzVersion }) => tzVersion)).toEqual(Array(4).fill('2025c'))
  })

  it('shows the line that is logged', () => {
    const lines: string[] = []
    const tell = logTelemetry(createLogger('info', { write: (line) => void lines.push(line) }))
    const { text } = blocks.find(({ language }) => language === 'json')!
    const { people, moved, unmoved, shiftMs, release, zone } = JSON.parse(text)
    tell({ kind: 'timezones', state: 'moved', people, moved, unmoved, shiftMs, release, zone })
    const timed = (line: string) => line.replace(/"time":"[^"]+"/, '"time":""')
    expect(timed(text)).toBe(timed(lines[0]!))
  })

  it('asks the same over HTTP', async () => {
    const terce = await startTerce({ DATABASE_URL: `sqlite:${join(folder.path, 'terce.db')}` })
    try {
      const [first, second] = overHttp!.text.trim().split('\n')
      const ask = async (command: string) => {
        const { stdout } = await shell(command.replaceAll('localhost:3000', terce.url))
        return JSON.parse(stdout)
      }
      expect(await ask(first!)).toMatchObject({ version: tzdb.version, differs: [] })
      expect(await ask(second!)).toMatchObject({ version: tzdb.version, dryRun: true, moved: 0 })
    } finally {
      await terce.kill('SIGKILL')
    }
  })

  it('makes a file from the data of moment-timezone that Terce accepts', async () => {
    const data = createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json')
    copyFileSync(data, join(folder.path, 'latest.json'))
    const inFolder = build!.text.replaceAll(/\w+\.json/g, (name) => join(folder.path, name))
    const made = await shell(`cd "${ROOT}"\n${inFolder}`)
    expect(made.stdout).toContain(`wrote ${join(folder.path, 'newer.json')}`)
    await shell('terce migrate')
    const { code, stdout } = await shell(useFile!.text)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Timezone rules: IANA ${tzdb.version}.`)])
  })

  it('names the states that there are', async () => {
    const { ZONES_STATES } = await import('../../src/app/timezones/zone-report.ts')
    for (const state of ZONES_STATES) expect(page).toContain(`\`${state}\``)
  })
})
