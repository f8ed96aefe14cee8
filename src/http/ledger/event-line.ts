// The line of an event in the ledger, as `GET /event/{id}` shows it.
import { z } from '@hono/zod-openapi'
import { newestLine } from '../../app/ledger/read-ledger.ts'
import { LEDGER_COLUMNS } from '../../domain/ledger/line.ts'
import type { LedgerStore } from '../../ports/store.ts'

export const EventLineJson = z
  .object({
    day: z.string().openapi({ format: 'date', example: '2026-12-15' }),
    column: z.enum(LEDGER_COLUMNS),
  })
  .nullable()
  .openapi({ description: 'Its line on the last closed day of the ledger that has one; null before.' })

export async function readEventLine(
  store: LedgerStore,
  eventId: string,
): Promise<z.infer<typeof EventLineJson>> {
  const line = await newestLine(store, eventId)
  return line && { day: line.day, column: line.column }
}
