// Proofs of single lines, which the standalone verifier checks without the database.
import { expect, it } from 'vitest'
import { proveEvent } from '../../../src/app/ledger/prove.ts'
import { commitmentOf } from '../../../src/domain/ledger/seal.ts'
import { verifyProof } from '../../../src/ledger-verifier/verifier.ts'
import { openClosedDays } from './support/closed-days.ts'

const proven = async (...of: Parameters<typeof proveEvent>) => {
  const result = await proveEvent(...of)
  if (result.kind !== 'proven') throw new Error(result.kind)
  return result.proof
}

it('proves every line of every day', async () => {
  const { store, key, sealed } = await openClosedDays()
  for (const { header, lines } of sealed)
    for (const line of lines) {
      const proof = await proven(store, line.eventId!)
      expect([proof.header, proof.line.eventId]).toEqual([header, line.eventId])
      expect(await verifyProof(JSON.stringify(proof), key.publicKey)).toEqual([])
    }
})

it('proves the newest line of an event that several days have, or that of a day, of those that are closed', async () => {
  const { store, sealed, linesFor, saveLines, closeDay } = await openClosedDays()
  const { eventId } = sealed[0]!.lines[0]!
  const linesAgain = (day: string) =>
    linesFor(day, ['open']).map(({ day: _, salt, commitment: __, ...line }) => {
      const again = { ...line, eventId }
      return { ...again, day, salt, commitment: commitmentOf(again, salt!) }
    })
  await closeDay('2026-11-17', linesAgain('2026-11-17'))
  await saveLines('2026-11-18', linesAgain('2026-11-18'))
  expect((await proven(store, eventId!)).header).toContain('day 2026-11-17\n')
  expect((await proven(store, eventId!, '2026-11-14')).header).toContain('day 2026-11-14\n')
  for (const of of ['2026-11-16', '2026-11-18', '2026-12-01'])
    expect(await proveEvent(store, eventId!, of)).toEqual({ kind: 'no-event' })
})

it('has no proof of an event without a line, nor once its person was erased', async () => {
  const { store, db, person, sealed } = await openClosedDays()
  const { eventId, commitment } = sealed[0]!.lines[2]!
  expect(await proveEvent(store, crypto.randomUUID())).toEqual({ kind: 'no-event' })
  expect(await proveEvent(store, person.events[0]!.id)).toEqual({ kind: 'no-line' })
  db.exec(`UPDATE ledger_lines SET event_id = NULL, salt = NULL WHERE commitment = '${commitment}'`)
  expect(await proveEvent(store, eventId!)).toEqual({ kind: 'no-event' })
})

it('has no proof of an event whose day was pruned, and names the day', async () => {
  const { store, db, person } = await openClosedDays()
  const { id } = person.events[0]!
  db.exec(`UPDATE events SET target_at = ${Date.parse('2026-11-15T23:30:00Z')}, offset_seconds = -3600 * 10`)
  expect(await proveEvent(store, id)).toEqual({ kind: 'no-line' })
  await store.pruneLedger({ linesBefore: '2026-11-16', entriesBefore: 0, at: 1_000, limit: 100 })
  expect(await proveEvent(store, id)).toEqual({ kind: 'pruned', day: '2026-11-15' })
})

it('gives no proof that would not verify: the line was altered', async () => {
  const { store, db, sealed } = await openClosedDays()
  const { eventId, commitment } = sealed[1]!.lines.find(({ column }) => column === 'delivered')!
  db.exec(`UPDATE ledger_lines SET settled_at = settled_at - 1 WHERE commitment = '${commitment}'`)
  expect(await proveEvent(store, eventId!)).toEqual({ kind: 'altered', day: '2026-11-15' })
})

it('gives no proof that would not verify: the lines no longer give the signed root', async () => {
  const { store, db, sealed } = await openClosedDays()
  const { eventId, commitment } = sealed[1]!.lines[0]!
  db.exec(`DELETE FROM ledger_lines WHERE day = '2026-11-15' AND commitment <> '${commitment}'`)
  expect(await proveEvent(store, eventId!)).toEqual({ kind: 'altered', day: '2026-11-15' })
})
