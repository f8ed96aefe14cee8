// `terce tz replan` of a zone with a million people after its law changed, while the processes deliver events of other people.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../figures.ts'
import { runTerce } from '../product/process.ts'
import { onStop, startSink } from '../servers.ts'
import { ZONE } from './load.ts'
import { addDue, type ScaleHome } from './scale-home.ts'

const PER_SECOND = 20
/** Events of other people are due for this long; a replan that takes longer is measured without them from then on. */
const OTHERS_MS = 600_000
const POLL_MS = 15_000

export async function replan({ home, command, sizes }: ScaleHome) {
  // Keeps every message: the parent reads from each one when it was due.
  const sink = await startSink({ keep: 1 })
  const processes = await home.start({ WEBHOOK_URL: sink.url, ALLOW_PRIVATE_TARGETS: 'true' })
  try {
    const start = Date.now() + POLL_MS
    const others = Math.floor((Math.min(OTHERS_MS, sizes.othersMs) / 1_000) * PER_SECOND)
    await addDue(
      home.store,
      Array.from(
        { length: others },
        (_, i) => start + Math.floor(((i + Math.random()) * 1_000) / PER_SECOND),
      ),
    )
    await sleep(Math.max(0, start + 2_000 - Date.now()))
    const before = lateness(await sink.readAndReset())
    const started = performance.now()
    const output = await runTerce(command, ['tz', 'replan', '--json'], {
      DATABASE_URL: home.databaseUrl,
      TERCE_TZDB: newerTable(),
    })
    const seconds = (performance.now() - started) / 1_000
    const late = lateness(await sink.readAndReset())
    const moved = movedIn(output)
    if (moved !== sizes.imported) throw new Error(`${moved} events were moved, not ${sizes.imported}.`)
    if (late.length === 0) throw new Error('No event of another person was due during the replan.')
    return {
      replanSeconds: seconds,
      replanPerSecond: sizes.imported / seconds,
      lateBeforeP99Ms: percentile(before, 99),
      lateP99Ms: percentile(late, 99),
      lateMaxMs: Math.max(...late),
    }
  } finally {
    await processes.stop()
    await sink.stop()
  }
}

function movedIn(json: string): number {
  const { zones } = JSON.parse(json) as { zones: { moved: number }[] }
  return zones.reduce((sum, { moved }) => sum + moved, 0)
}

function lateness({ kept }: { kept: { at: number; body: string }[] }): number[] {
  return kept.map(({ at, body }) => at - Date.parse(JSON.parse(body).targetTimestampUTC))
}

/** The built-in table, with the zone an hour further east from now on. */
function newerTable(): string {
  const builtIn = JSON.parse(
    readFileSync(new URL('../../src/domain/time/tzdb.json', import.meta.url), 'utf8'),
  )
  const now = Math.floor(Date.now() / 1_000)
  const zones = { ...builtIn.zones, [ZONE]: `32400 36000|01|${now.toString(36)}` }
  const folder = mkdtempSync(join(tmpdir(), 'terce-tz-'))
  onStop(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'tz.json')
  writeFileSync(file, JSON.stringify({ ...builtIn, version: '2099a', zones }))
  return file
}
