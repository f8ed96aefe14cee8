// W7: two channels, one of which has more due than its limit lets through. Measures how late the messages of the other one are.
import { setTimeout as sleep } from 'node:timers/promises'
import { personDueAt } from '../engines/people.ts'
import type { Measured } from '../figures.ts'
import { percentile } from '../figures.ts'
import { startSink } from '../servers.ts'
import type { FairnessSizes, HomeName } from '../workloads.ts'
import { type Home, openHome, type ProductDeps } from './home.ts'

const BATCH = 1_000
const LIMIT_PER_SECOND = 50
/** From the last insert until the instant. */
const QUIET_MS = 2_000

export async function measureFairness(
  deps: ProductDeps,
  name: HomeName,
  sizes: FairnessSizes,
): Promise<Measured> {
  // Enough to fill the database on an idle machine. Otherwise the attempt is repeated with more time.
  for (let leadMs = 8_000 + sizes.limited / 3; ; leadMs *= 2) {
    const home = await openHome(name, deps.command, deps.postgres)
    try {
      const measured = await fairness(deps, home, { ...sizes, leadMs })
      if (measured !== null) return measured
    } finally {
      await home.remove()
    }
  }
}

/** Null if the database was not filled in time. */
async function fairness(
  { sink }: ProductDeps,
  home: Home,
  { limited, other, everyMs, windowMs, leadMs }: FairnessSizes & { leadMs: number },
): Promise<Measured | null> {
  const at = Math.ceil((Date.now() + leadMs) / 1_000) * 1_000
  const processes = await home.start({
    TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'true',
  })
  const receiver = await startSink({ keep: 1 })
  try {
    const slow = await createChannel(processes.url, 'limited', sink.url, LIMIT_PER_SECOND)
    const fast = await createChannel(processes.url, 'other', receiver.url, null)
    const all = Array.from({ length: limited }, () => at)
    await fill(home, slow, all)
    const later = Array.from({ length: windowMs / everyMs }, (_, i) => at + (i + 1) * everyMs)
    const due = await fill(home, fast, [...Array.from({ length: other }, () => at), ...later])
    await home.settleDown()
    const leftMs = at - QUIET_MS - Date.now()
    if (leftMs < 0) return null
    await sleep(leftMs + QUIET_MS / 2)
    const cpuUs = () => processes.workerCpuUs() + home.databaseCpuUs()
    const before = cpuUs()
    await sleep(at + windowMs - Date.now())
    for (const deadline = Date.now() + limited; (await receiver.read()).posts < due.size; await sleep(100))
      if (Date.now() > deadline) throw new Error('The other channel did not receive its messages in time.')
    const cpuMs = (cpuUs() - before) / 1_000
    const { kept } = await receiver.readAndReset()
    const late = kept.map(({ at, body }) => at - due.get(JSON.parse(body).eventId)!)
    return { latenessP50Ms: percentile(late, 50), latenessP99Ms: percentile(late, 99), cpuMs }
  } finally {
    await processes.stop()
    await receiver.stop()
    await sink.readAndReset()
  }
}

async function createChannel(api: string, name: string, url: string, perSecond: number | null) {
  const response = await fetch(`${api}/channel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'webhook', name, url, ...(perSecond && { perSecond }) }),
  })
  if (!response.ok) throw new Error(`POST /channel: HTTP ${response.status} ${await response.text()}`)
  return ((await response.json()) as { channel: { id: string } }).channel.id
}

/** Adds a person for each instant. Returns the instants by the id of the event. */
async function fill(home: Home, channelId: string, instants: readonly number[]) {
  const due = new Map<string, number>()
  for (let from = 0; from < instants.length; from += BATCH) {
    const people = instants.slice(from, from + BATCH).map((at) => personDueAt(home.store, at))
    for (const { occasions, events } of people) {
      for (const occasion of occasions) occasion.channelId = channelId
      for (const { id, targetAt } of events) due.set(id, targetAt)
    }
    await home.store.createUsers(people)
  }
  return due
}
