// Compares the timezone rules in use with the planned events, and replans after a change.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { type ReplanDeps, type ReplanOnRequest, replan } from '../../app/timezones/replan.ts'
import { describeZones, replanJson } from '../../app/timezones/zone-report.ts'
import type { DashboardStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { READ_TIMEZONES, REPLAN_TIMEZONES, type ReplanJson, type TimezonesJson } from './operations.ts'

export function mountTimezones(
  api: OpenAPIHono,
  deps: ReplanDeps & { store: Pick<DashboardStore, 'countByTimezone'>; replanOnRequest?: ReplanOnRequest },
): void {
  const { store, planner, clock } = deps
  const onRequest: ReplanOnRequest =
    deps.replanOnRequest ?? (({ dryRun }) => replan(deps, { check: 'all', dryRun }))
  mount(api, READ_TIMEZONES, async ({ c }) => {
    const zones = await describeZones(store, planner.table, clock.now())
    return c.json(zones satisfies z.infer<typeof TimezonesJson>)
  })

  mount(api, REPLAN_TIMEZONES, async ({ c, query: { dryRun } }) => {
    const report = await onRequest({ dryRun })
    return c.json(replanJson(report, dryRun) satisfies z.infer<typeof ReplanJson>)
  })
}
