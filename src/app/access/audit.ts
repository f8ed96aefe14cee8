// Writes the audit log. An entry never fails the action that it records; a failure to write it is logged.
import {
  type AuditEntry,
  type AuditRecord,
  type ChainFault,
  chainAfter,
  checkChain,
  type PrunedTo,
} from '../../domain/settings/audit.ts'
import { callerGroup } from '../../domain/settings/ip-address.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AuditStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type AuditDeps = { store: AuditStore; clock: Clock; telemetry: Telemetry }

type AuditOptions = {
  /** False where a request must not wait for the query of another, as on Workers. */
  sharesWrites?: boolean
}

export type Audit = {
  /** Writes an entry. Resolves when it is stored. */
  record(record: AuditRecord): Promise<void>
  /**
   * Counts a rejection or a read: at most one entry for each address, action, status or actor, and minute, so that a flood
   * cannot fill the table.
   */
  count(record: AuditRecord): Promise<void>
  /** Writes what was only counted so far. */
  close(): Promise<void>
}

const WINDOW_MS = 60_000
/** Rejections from further addresses in a window are counted together, without their address; reads by their actor. */
const MOST_ADDRESSES = 100

/** The first record of the window, and how many followed it. */
type Window = { since: number; record: AuditRecord; more: number; timer: { cancel(): void } }

export function createAudit(deps: AuditDeps, { sharesWrites = true }: AuditOptions = {}): Audit {
  const { clock, telemetry } = deps
  const windows = new Map<string, Window>()
  let last: Promise<void> = Promise.resolve()

  /** One after the other: entries of one process do not compete for a number. */
  function record(entry: AuditRecord): Promise<void> {
    const at = clock.now()
    const written = sharesWrites ? last.then(() => write(entry, at)) : write(entry, at)
    last = written
    return written
  }

  async function write(entry: AuditRecord, at: number): Promise<void> {
    try {
      telemetry({ kind: 'audit', ...(await append(deps.store, entry, at)) })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'record-audit', error, retryInMs: null })
    }
  }

  function open(key: string, entry: AuditRecord): void {
    const timer = clock.after(WINDOW_MS, () => void end(key))
    windows.set(key, { since: clock.now(), record: entry, more: 0, timer })
  }

  /** The records that were counted become the first entry of the next window. */
  async function end(key: string): Promise<void> {
    const { record: entry, more, timer } = windows.get(key)!
    timer.cancel()
    windows.delete(key)
    if (more === 0) return
    open(key, entry)
    await record({ ...entry, count: more })
  }

  return {
    record,
    async count(given) {
      const keyOf = ({ action, rejectedWith, actor, address }: AuditRecord) =>
        `${action} ${rejectedWith ?? actor} ${callerGroup(address ?? '')}`
      const isKnown = windows.has(keyOf(given)) || windows.size < MOST_ADDRESSES
      const actor = given.rejectedWith ? null : given.actor
      const entry = isKnown ? given : { ...given, address: null, actor }
      const key = keyOf(entry)
      const window = windows.get(key)
      if (window !== undefined) {
        window.more += 1
        // A platform that stops the process between calls may not have run the timer.
        if (clock.now() - window.since >= WINDOW_MS) await end(key)
        return
      }
      open(key, entry)
      await record(entry)
    },
    async close() {
      for (const [key, { timer, more, record: entry }] of windows) {
        timer.cancel()
        windows.delete(key)
        if (more > 0) void record({ ...entry, count: more })
      }
      await last
    },
  }
}

/** Of the writers that compete for a number one gets it, so that each attempt of all of them is progress. */
async function append(store: AuditStore, record: AuditRecord, at: number): Promise<AuditEntry> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entry = chainAfter(await store.lastAuditEntry(), { record, at })
    if (await store.appendAuditEntry(entry)) return entry
  }
  throw new Error(`No place in the audit log after ${MAX_TRIES} tries.`)
}

const MAX_TRIES = 1_000

const STEP = 1_000

/**
 * Removes entries from before the instant. An entry with the number and hash of the last removed one is written first, so that
 * the chain can be verified from there on.
 */
export async function pruneAudit(
  { store, clock, telemetry }: AuditDeps,
  before: number,
  actor: string | null,
): Promise<number> {
  const to = await store.lastAuditEntryBefore(before)
  if (to === null) return 0
  const { number, hash }: PrunedTo = to
  const anchor: AuditRecord = {
    actor,
    address: null,
    action: 'audit.pruned',
    object: null,
    details: { number, hash },
  }
  telemetry({ kind: 'audit', ...(await append(store, anchor, clock.now())) })
  let removed = 0
  for (;;) {
    const gone = await store.removeAuditEntries(number, STEP)
    removed += gone
    if (gone < STEP) return removed
  }
}

/** Reads the whole log. `fault` is the first broken entry. */
export async function verifyAudit(store: AuditStore): Promise<{ entries: number; fault: ChainFault | null }> {
  const chain = checkChain()
  let [entries, after] = [0, 0]
  for (;;) {
    const page = await store.readAuditEntries(after, STEP)
    for (const entry of page) {
      const fault = chain.add(entry)
      if (fault !== null) return { entries, fault }
      entries += 1
      after = entry.number
    }
    if (page.length < STEP) return { entries, fault: chain.end() }
  }
}
