// The ledger, for reading only: the daily accounts and their lines.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { createTodaysAccount } from '../../app/ledger/account-now.ts'
import { explainOccasion } from '../../app/ledger/explain-occasion.ts'
import { explainLines, findDay, listDays, readLines } from '../../app/ledger/read-ledger.ts'
import { PLAIN_RANK, rankOf } from '../../domain/ledger/line.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { KernelStore, LedgerStore, ZoneStore } from '../../ports/store.ts'
import { occasionNotFound, planJson } from '../occasions/json.ts'
import { mount } from '../server/operation.ts'
import { pageJson } from '../server/query.ts'
import { dayJson, dayOf, lineJson } from './json.ts'
import { EXPLAIN_OCCASION, LIST_LEDGER, READ_LEDGER_DAY, READ_LEDGER_TODAY } from './operations.ts'

const TODAYS_LINES = 100

export function mountLedger(api: OpenAPIHono, deps: AppDeps<KernelStore & LedgerStore & ZoneStore>): void {
  const todaysAccount = createTodaysAccount(deps)

  mount(api, LIST_LEDGER, async ({ c, query }) => {
    return c.json(pageJson(await listDays(deps, query), dayJson))
  })

  // Before the path of a day, which matches it too.
  mount(api, READ_LEDGER_TODAY, async ({ c }) => {
    const { at, value } = await todaysAccount()
    const notable = value.lines.filter((line) => rankOf(line) < PLAIN_RANK).slice(0, TODAYS_LINES)
    // Looked up for each response: a person may have been erased since the account was computed.
    const lines = (await explainLines(deps, notable)).map(lineJson)
    const day = { ...dayJson(value.day), state: 'running' as const }
    return c.json({ at: formatInstant(at), complete: value.isComplete, day, lines })
  })

  mount(api, READ_LEDGER_DAY, async ({ c, params, query }) => {
    const day = dayOf(await findDay(deps, params.day, { orClosing: true }), params.day)
    const page = await readLines(deps, { ...params, ...query })
    return c.json({ day: dayJson(day), ...pageJson(page, lineJson) })
  })

  mount(api, EXPLAIN_OCCASION, async ({ c, params }) => {
    const explanation = await explainOccasion(deps, params.id)
    if (explanation === null) throw occasionNotFound(params)
    const { summary, rule, plan, person } = explanation
    const lines = explanation.lines.map((line) => ({ day: line.day, ...lineJson(line) }))
    const { timezone } = person.user
    return c.json({ summary, rule, timezone, occasion: planJson(deps, plan, person.user), lines })
  })
}
