// Writes the audit log. An entry never fails the action that it records; a failure to write it is logged.
import { type AuditRecord, auditEntry } from '../../domain/access/audit.ts'
import { callerGroup } from '../../domain/access/ip-address.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AuditStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type AuditDeps = { store: AuditStore; clock: Clock; telemetry: Telemetry }

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

export function createAudit(deps: AuditDeps): Audit {
  const { clock, telemetry, store } = deps
  const windows = new Map<string, Window>()

  async function record(entry: AuditRecord): Promise<void> {
    try {
      telemetry({ kind: 'audit', ...(await store.appendAuditEntry(auditEntry(entry, clock.now()))) })
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
      const counted = [...windows.values()]
      windows.clear()
      for (const { timer } of counted) timer.cancel()
      const left = counted.filter(({ more }) => more > 0)
      await Promise.all(left.map(({ record: entry, more }) => record({ ...entry, count: more })))
    },
  }
}

const STEP = 1_000

/** Removes entries from before the instant, and records how many. */
export async function pruneAudit(deps: AuditDeps, before: number, actor: string | null): Promise<number> {
  let removed = 0
  for (;;) {
    const gone = await deps.store.removeAuditEntries(before, STEP)
    removed += gone
    if (gone < STEP) break
  }
  const record = { actor, address: null, action: 'audit.pruned', object: null, details: { removed } } as const
  if (removed > 0) await createAudit(deps).record(record)
  return removed
}
