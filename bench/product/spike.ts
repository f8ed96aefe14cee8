// W6: the spike end to end. The processes of the product send a signed webhook to every person at one instant; the people were
// created through the HTTP API. Measures from the outside: arrivals at the receiver, and CPU time from /proc.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verify } from '../../src/receiver/receiver.ts'
import type { Measured } from '../figures.ts'
import type { Sink } from '../servers.ts'
import type { Kept } from '../sink.ts'
import type { HomeName } from '../workloads.ts'
import { createByHttp } from './create-by-http.ts'
import { type Home, openHome, type ProductDeps } from './home.ts'
import { INSPECTED, printParts, profile, shares } from './profile.ts'

export const SECRET = `whsec_${randomBytes(32).toString('base64')}`
/** The processes are idle for at least this long before the instant. */
const QUIET_MS = 2_000
const YEAR_MS = 366 * 24 * 60 * 60 * 1000

/** `onParts` receives the CPU by part; the sampling of it adds to the CPU. */
export async function measureSpike(
  deps: ProductDeps,
  name: HomeName,
  people: number,
  onParts?: (text: string) => void,
): Promise<Measured> {
  // Enough to start and to create the people on an idle machine. Otherwise the attempt is repeated with more time.
  for (let leadMs = 6_000 + people / 4; ; leadMs *= 2) {
    const home = await openHome(name, deps.command, deps.postgres)
    try {
      const measured = await spike(deps, home, { people, leadMs, onParts })
      if (measured !== null) return measured
    } finally {
      await home.remove()
    }
  }
}

/** Null if the people were not created in time. */
async function spike(
  { sink }: ProductDeps,
  home: Home,
  {
    people,
    leadMs,
    onParts,
  }: { people: number; leadMs: number; onParts: ((text: string) => void) | undefined },
): Promise<Measured | null> {
  const at = Math.ceil((Date.now() + leadMs) / 1_000) * 1_000
  const iso = new Date(at).toISOString()
  const processes = await home.start({
    DELIVER_AT: iso.slice(11, 19),
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    ...(onParts === undefined ? {} : INSPECTED),
  })
  try {
    // Born in a leap year, so that 29 February is a valid date.
    await createByHttp(processes.url, people, `1992-${iso.slice(5, 10)}`)
    await home.settleDown()
    const leftMs = at - QUIET_MS - Date.now()
    if (leftMs < 0) return null
    await sleep(leftMs + QUIET_MS / 2)
    await sink.readAndReset()
    const before = { worker: processes.workerCpuUs(), database: home.databaseCpuUs() }
    const endProfile = onParts === undefined ? null : await profile(processes.worker.inspectorUrl!)
    await untilSettled(home, sink, people)
    const after = { worker: processes.workerCpuUs(), database: home.databaseCpuUs() }
    const profiled = await endProfile?.()
    const { firstAt, lastAt, kept } = await checked(sink, people)
    await verifySample(kept)
    const { count } = await home.store.countOverdue(at + YEAR_MS)
    if (count !== people) throw new Error(`${count} next occurrences are planned for ${people} people.`)
    const worker = (after.worker - before.worker) / people
    const database = (after.database - before.database) / people
    if (profiled !== undefined) onParts?.(printParts(shares(profiled), worker))
    return {
      perSecond: (people * 1_000) / (lastAt - at),
      cpuUs: worker + database,
      workerCpuUs: worker,
      ...(database > 0 ? { databaseCpuUs: database } : {}),
      firstMs: firstAt - at,
      lastMs: lastAt - at,
    }
  } finally {
    await processes.stop()
  }
}

/** All messages have arrived and no event is due, claimed ones included. The queries are cheap: few events are left by then. */
export async function untilSettled(home: Home, sink: Sink, people: number): Promise<void> {
  const deadline = Date.now() + 60_000 + people
  for (;;) {
    const { posts } = await sink.read()
    if (posts >= people && (await home.store.countOverdue(Date.now() + LEASES_MS)).count === 0) return
    if (Date.now() > deadline) throw new Error(`The sink received ${posts} of ${people} messages in time.`)
    await sleep(posts < people ? 100 : 20)
  }
}

/** Counted at this distance, every lease has expired. The next occurrences are further away. */
const LEASES_MS = 3_600_000

export async function checked(sink: Sink, people: number) {
  const counts = await sink.readAndReset()
  const { posts, distinct, signed } = counts
  if (posts !== people || distinct !== people || signed !== people)
    throw new Error(
      `The sink received ${posts} POSTs with ${distinct} distinct keys, ${signed} of them signed; ${people} events were due.`,
    )
  return counts
}

export async function verifySample(kept: readonly Kept[]): Promise<void> {
  for (const { at, headers, body } of kept) {
    const verified = await verify({ headers, body, secrets: [SECRET], now: at })
    if (verified.kind === 'rejected') throw new Error(`A signature is not valid: ${verified.reason}`)
  }
}
