// The ledger, for reading only: the daily accounts and their lines.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { explainOccasion } from '../../app/ledger/explain-occasion.ts'
import { findDay, listDays, readLines } from '../../app/ledger/read-ledger.ts'
import type { Planner } from '../../engine/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { occasionNotFound, planJson } from '../occasions/json.ts'
import { mount } from '../server/operation.ts'
import { pageJson } from '../server/query.ts'
import { dayJson, dayOf, lineJson } from './json.ts'
import { EXPLAIN_OCCASION, LIST_LEDGER, READ_LEDGER_DAY } from './operations.ts'

export function mountLedger(app: OpenAPIHono, deps: { store: Store; clock: Clock; planner: Planner }): void {
  mount(app, LIST_LEDGER, async ({ c, query }) => {
    const days = await listDays(deps, query)
    return c.json({ days: days.map(dayJson) })
  })

  mount(app, READ_LEDGER_DAY, async ({ c, params, query }) => {
    const day = dayOf(await findDay(deps, params.day, { orClosing: true }), params.day)
    const { items: lines, nextCursor } = pageJson(await readLines(deps, { ...params, ...query }), lineJson)
    return c.json({ day: dayJson(day), lines, nextCursor })
  })

  mount(app, EXPLAIN_OCCASION, async ({ c, params }) => {
    const explanation = await explainOccasion(deps, params.id)
    if (explanation === null) throw occasionNotFound(params)
    const { summary, rule, plan, person } = explanation
    const lines = explanation.lines.map((line) => ({ day: line.day, ...lineJson(line) }))
    const { timezone } = person.user
    return c.json({ summary, rule, timezone, occasion: planJson(deps, plan, person.user), lines })
  })
}
