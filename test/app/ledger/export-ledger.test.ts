// Files of closed days, which the standalone verifier checks without the database.
import { expect, it } from 'vitest'
import { exportLedger } from '../../../src/app/ledger/export-ledger.ts'
import { verifyFile } from '../../../src/ledger-verifier/verifier.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openClosedDays } from './support/closed-days.ts'

async function textOf(store: Store, range: { from: string; to: string }): Promise<string> {
  let text = ''
  for await (const part of exportLedger(store, range)) text += part
  return text
}

it('exports a range of days in order, which the verifier accepts', async () => {
  const { store, key, sealed } = await openClosedDays()
  const text = await textOf(store, { from: '2026-11-14', to: '2026-11-16' })
  expect(JSON.parse(text).days.map(({ header }: { header: string }) => header)).toEqual(
    sealed.map(({ header }) => header),
  )
  expect(await verifyFile(text, key.publicKey)).toEqual([])
})

it('exports one day after the erasure of a person, which the verifier accepts', async () => {
  const { store, db, key } = await openClosedDays()
  db.exec(`UPDATE ledger_lines SET occasion_id = NULL, event_id = NULL, salt = NULL, due_at = NULL`)
  const text = await textOf(store, { from: '2026-11-15', to: '2026-11-15' })
  expect(JSON.parse(text).days).toHaveLength(1)
  expect(await verifyFile(text, key.publicKey)).toEqual([])
})

it('exports a pruned day by its header, which the verifier checks and says so', async () => {
  const { store, key } = await openClosedDays()
  await store.pruneLedger({ linesBefore: '2026-11-15', entriesBefore: 0, at: 1_000, limit: 100 })
  const text = await textOf(store, { from: '2026-11-14', to: '2026-11-16' })
  const day = '2026-11-14'
  expect(await verifyFile(text, key.publicKey)).toEqual([
    {
      level: 'information',
      code: 'LINES_PRUNED',
      day,
      text: `The lines of ${day} were pruned; its header is checked.`,
    },
  ])
  const altered = text.replace('expected 5', 'expected 6')
  expect((await verifyFile(altered)).map(({ code, day: of }) => `${code} ${of}`)).toEqual([
    `BAD_SIGNATURE ${day}`,
    `LINES_PRUNED ${day}`,
    'CHAIN_CUT 2026-11-15',
  ])
})

it('exports alterations as they are, for the verifier to find', async () => {
  const { store, db } = await openClosedDays()
  db.exec(`DELETE FROM ledger_lines WHERE place = 'failed'`)
  const findings = await verifyFile(await textOf(store, { from: '2026-11-15', to: '2026-11-15' }))
  expect(findings.map(({ code }) => code)).toContain('WRONG_ROOT')
})
