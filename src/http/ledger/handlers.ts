// The ledger: the closed days, the account of a day, and the repair of plans.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { pageJson } from '../../api/query.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { cached } from '../../app/cached.ts'
import { listDays, readDay, readToday } from '../../app/ledger/read-ledger.ts'
import { type Repaired, repair } from '../../app/ledger/repair.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { KernelStore, LedgerStore, ZoneStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { dayJson, lineJson, unknownDay } from './json.ts'
import { LIST_LEDGER, READ_LEDGER_DAY, READ_LEDGER_TODAY, REPAIR_LEDGER } from './operations.ts'

const MIN_TTL_MS = 5_000

export function mountLedger(api: OpenAPIHono, deps: AppDeps<KernelStore & LedgerStore & ZoneStore>): void {
  const today = cached(deps, MIN_TTL_MS, () => readToday(deps))

  mount(api, LIST_LEDGER, async ({ c, query }) => {
    return c.json(pageJson(await listDays(deps, query), dayJson))
  })

  // Before the path of a day, which matches it too.
  mount(api, READ_LEDGER_TODAY, async ({ c }) => {
    const { at, value } = await today()
    const { day, missed, lines } = value
    return c.json({ at: formatInstant(at), day: dayJson(day), missed, lines: lines.map(lineJson) })
  })

  mount(api, READ_LEDGER_DAY, async ({ c, params }) => {
    const found = await readDay(deps, params.day)
    if (found.kind === 'unknown') throw unknownDay(params.day, found.closed)
    return c.json({ day: dayJson(found.day), lines: found.lines.map(lineJson) })
  })

  mount(api, REPAIR_LEDGER, async ({ c, body }) => {
    const repaired = await repair(deps, body)
    const count = (result: Repaired['result']) => repaired.filter((one) => one.result === result).length
    const counts = { planned: count('planned'), right: count('right'), left: count('left') }
    return c.json({ ...counts, dryRun: body.dryRun })
  })
}
