// The ledger, for reading only: the daily accounts, their lines, the file of closed days, and proofs.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { exportLedger, MOST_IN_FILE } from '../../app/ledger/export-ledger.ts'
import { proveEvent } from '../../app/ledger/prove.ts'
import { findDay, listDays, readLines } from '../../app/ledger/read-ledger.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { eventNotFound } from '../events/json.ts'
import { mount } from '../server/operation.ts'
import { invalidQuery, Problem } from '../server/problem.ts'
import { pageJson } from '../server/query.ts'
import { streamText } from '../server/stream-text.ts'
import { dayJson, dayOf, type LedgerProofJson, lineJson } from './json.ts'
import { EXPORT_LEDGER, LIST_LEDGER, PROVE_EVENT, READ_LEDGER_DAY } from './operations.ts'

export function mountLedger(app: OpenAPIHono, deps: { store: Store; clock: Clock }): void {
  const { store } = deps
  mount(app, LIST_LEDGER, async ({ c, query }) => {
    const days = await listDays(deps, query)
    return c.json({ days: days.map(dayJson) })
  })

  mount(app, READ_LEDGER_DAY, async ({ c, params, query }) => {
    const day = dayOf(await findDay(deps, params.day, { orClosing: true }), params.day)
    const { items: lines, nextCursor } = pageJson(await readLines(deps, { ...params, ...query }), lineJson)
    return c.json({ day: dayJson(day), lines, nextCursor })
  })

  mount(app, EXPORT_LEDGER, async ({ params: { day: to }, query: { from = to } }) => {
    requireRange(from, to)
    for (const day of new Set([from, to])) dayOf(await findDay(deps, day), day)
    return streamText(exportLedger(store, { from, to }), {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="ledger-${from === to ? to : `${from}-${to}`}.json"`,
    })
  })

  mount(app, PROVE_EVENT, async ({ c, params, query }) => {
    const result = await proveEvent(store, params.id, query.day)
    if (result.kind === 'proven') return c.json(result.proof satisfies z.infer<typeof LedgerProofJson>)
    if (result.kind === 'altered')
      throw new Problem(
        'LEDGER_ALTERED',
        `The lines of ${result.day} changed after it was signed. See terce doctor.`,
      )
    if (result.kind === 'no-event') throw eventNotFound(params)
    throw new Problem(
      'LINE_NOT_FOUND',
      result.kind === 'pruned'
        ? `The lines of ${result.day} were pruned: only its totals and its seal are left.`
        : query.day === undefined
          ? 'The event is not due yet, or its day is not closed.'
          : `The event has no line on ${query.day}, or this day is not closed.`,
    )
  })
}

function requireRange(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days >= 1 && days <= MOST_IN_FILE) return
  const message = `Must be a day up to ${MOST_IN_FILE - 1} days before ${to}.`
  throw invalidQuery([{ field: 'from', code: 'INVALID_VALUE', message }])
}
