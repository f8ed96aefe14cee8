// Closed days of the ledger in a database that the product reads.
import type { LedgerLine, StoredLine } from '../../../src/domain/ledger/line.ts'
import { commitmentOf } from '../../../src/domain/ledger/seal.ts'
import { webCryptoSigner } from '../../../src/runtimes/config/signer.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createKey, type SealedDay, sealDay } from '../../app/ledger/support/sealed-days.ts'
import { DAY, HOUR, newId } from '../../support/fixtures.ts'

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The last days that have ended in every timezone, oldest first. */
export function endedDays(count: number, now: number): string[] {
  const last = now - DAY - 12 * HOUR
  return Array.from({ length: count }, (_, i) => dateOf(last - (count - 1 - i) * DAY))
}

/** A delivery at 09:00 UTC, four seconds after it was due, unless other fields are given. The occasion must exist. */
export function makeLine(day: string, occasionId: string, over: Partial<LedgerLine> = {}): StoredLine {
  const dueAt = Date.parse(day) + 9 * HOUR
  const line: LedgerLine = {
    column: 'delivered',
    reason: null,
    occasionId,
    eventId: newId(dueAt),
    occurrence: day.slice(0, 4),
    dueAt,
    settledAt: dueAt + 4_000,
    attempt: 1,
    entry: null,
    because: null,
    carriedFrom: null,
    ...over,
  }
  const salt = webCryptoSigner.newSalt()
  return { ...line, day, salt, commitment: commitmentOf(line, salt) }
}

/** The line of a person who was erased after the day was closed. */
export function erased(line: StoredLine): StoredLine {
  const nothing = { occasionId: null, eventId: null, occurrence: null, dueAt: null, settledAt: null }
  return { ...line, ...nothing, attempt: null, entry: null, because: null, salt: null }
}

/** Closes the days, signed with a new key and chained to each other. `days` are in order, each with its lines. */
export async function closeDays(
  database: string,
  days: readonly { day: string; lines: readonly StoredLine[] }[],
): Promise<SealedDay[]> {
  const store = openSqliteStore(database)
  const key = await createKey()
  const sealed: SealedDay[] = []
  for (const { day, lines } of days) {
    const before = sealed.at(-1)
    const sorted = lines.toSorted((a, b) => (a.commitment < b.commitment ? -1 : 1))
    const one = await sealDay(key, sorted, { day, ...(before && { before }) })
    await store.openLedgerDay({ day, startedAt: Date.parse(day) })
    await store.saveAccountPage({
      day,
      from: null,
      to: 'done',
      people: one.day.people,
      lines: sorted,
      newlySeen: [],
    })
    await store.closeLedgerDay({ ...one.day, signature: one.signature, publicKey: key.publicKey })
    sealed.push(one)
  }
  await store.close()
  return sealed
}
