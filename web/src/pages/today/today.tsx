// The Today page: map, figures, messages by hour and latest deliveries.
import { useEffect, useRef, useState } from 'react'
import { type Population, usePopulation } from '../../api/population.ts'
import { useToday } from '../../api/today.ts'
import type { RecentEvent, Session, Today as TodayData } from '../../api/types.ts'
import { minuteOf } from '../../clock/delivery-time.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { type Spark, WorldMap } from '../../map/world-map.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'
import { Counts } from './counts.tsx'
import { Deliveries } from './deliveries.tsx'
import { DemoBadge, FirstRun } from './first-run.tsx'
import { Headline } from './headline.tsx'
import { Hold } from './hold.tsx'
import { MessagesByHour, MessagesByHourLegend } from './messages-by-hour.tsx'

export function Today({ session }: { session: Session }) {
  const today = useToday()
  return (
    <Loaded query={today} rows={10}>
      {(data) => <Overview counted={data} deliverAt={minuteOf(session.deliverAt)} />}
    </Loaded>
  )
}

function Overview({ counted, deliverAt }: { counted: TodayData; deliverAt: number }) {
  const population = usePopulation()
  const today = population === undefined ? counted : withPopulation(counted, population)
  const minute = useNow(60_000)
  const sparks = useSparks(today.recent)
  const isEmpty = today.counts.people === 0
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-3 pb-1">
        <Headline today={today} now={minute} deliverAt={deliverAt} />
        <div className="flex flex-wrap items-center gap-3">
          {population?.hasDemo === true && <DemoBadge />}
          <Hold today={today} />
        </div>
      </div>
      {isEmpty && <FirstRun />}
      <div className="overflow-hidden rounded-lg border border-line bg-panel">
        <WorldMap now={minute} deliverAt={deliverAt} zones={today.zones} sparks={sparks} />
      </div>
      <Counts today={today} />
      {isOld(counted) && (
        <p className="text-right text-soft text-xs">
          Figures updated <Ago at={counted.countedAt} />.
        </p>
      )}
      <Panel title="Messages by hour (UTC)" aside={<MessagesByHourLegend />}>
        <MessagesByHour wave={today.wave} now={minute} />
      </Panel>
      <Panel title="Deliveries" aside="newest first" flush>
        <Deliveries recent={today.recent} />
      </Panel>
    </div>
  )
}

/** With millions of people the server counts seldom. */
function isOld({ now, countedAt }: TodayData): boolean {
  return Date.parse(now) - Date.parse(countedAt) > 3_000
}

function withPopulation(today: TodayData, { people, zones }: Population): TodayData {
  return { ...today, zones, counts: { ...today.counts, people } }
}

/** Events settled since the last refetch, to be animated once. */
function useSparks(recent: readonly RecentEvent[]): readonly Spark[] {
  const seen = useRef<Set<string> | null>(null)
  const [sparks, setSparks] = useState<readonly Spark[]>([])
  useEffect(() => {
    const settled = recent.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED')
    const before = seen.current
    seen.current = new Set(settled.map(({ id }) => id))
    if (before === null) return
    const fresh = settled.filter(({ id }) => !before.has(id))
    if (fresh.length === 0) return
    const lit = fresh.map(({ id, status, targetTimezone }) => ({
      id,
      timezone: targetTimezone,
      failed: status === 'FAILED',
    }))
    setSparks((old) => [...old.slice(-40), ...lit])
  }, [recent])
  return sparks
}
