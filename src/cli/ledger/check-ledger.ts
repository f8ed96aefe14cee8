// What `terce doctor` says of the ledger: whether anybody could be missed.
import type { Client } from '../../client/client.ts'
import { type MissedReason, REASON_TEXT } from '../../domain/ledger/problem.ts'
import { type Check, fail, ok } from '../doctor/check.ts'
import { grouped } from '../output/words.ts'

export async function checkLedger(client: Client): Promise<Check> {
  const { day, missed } = await client.get('/ledger/today')
  const found = Object.entries(missed).filter(([, count]) => count > 0)
  if (found.length === 0) return ok('ledger', `${grouped(day.due)} due today so far; nobody was missed.`)
  const parts = found.map(
    ([reason, count]) => `${grouped(count)} ${reason} (${REASON_TEXT[reason as MissedReason]})`,
  )
  return fail('ledger', parts.join(' '), 'Run terce ledger --today, and terce ledger --repair.')
}
