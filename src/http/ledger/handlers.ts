// The ledger: the closed days, the account of a day, and the repair of plans.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { invalidInput, Problem } from '../../api/problem.ts'
import { pageJson } from '../../api/query.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { cached } from '../../app/cached.ts'
import { listDays, readDay, readToday } from '../../app/ledger/read-ledger.ts'
import { type Repaired, repair } from '../../app/ledger/repair.ts'
import { saveReportTarget } from '../../app/ledger/report-target.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { KernelStore, LedgerStore, ZoneStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { dayJson, lineJson, unknownDay } from './json.ts'
import {
  LIST_LEDGER,
  READ_LEDGER_DAY,
  READ_LEDGER_TODAY,
  READ_REPORT_TARGET,
  REPAIR_LEDGER,
  SET_REPORT_TARGET,
} from './operations.ts'

const MIN_TTL_MS = 5_000

/** `reportTo`: the value of REPORT_TO, masked; null without it. */
type LedgerHttpDeps = AppDeps<KernelStore & LedgerStore & ZoneStore> & { reportTo: string | null }

export function mountLedger(api: OpenAPIHono, deps: LedgerHttpDeps): void {
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

  const reportTarget = async () => {
    const stored = await deps.store.findReportTarget()
    const setBy = deps.reportTo !== null ? 'environment' : stored !== null ? 'settings' : null
    return { to: deps.reportTo ?? stored, setBy } as const
  }
  mount(api, READ_REPORT_TARGET, async ({ c }) => c.json(await reportTarget()))

  mount(api, SET_REPORT_TARGET, async ({ c, body }) => {
    if (deps.reportTo !== null)
      throw new Problem('SETTING_MANAGED', 'REPORT_TO in the environment sets it. Change it there.')
    const problem = await saveReportTarget(deps.store, body.to)
    if (problem !== null) throw invalidInput([problem])
    return c.json(await reportTarget())
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
