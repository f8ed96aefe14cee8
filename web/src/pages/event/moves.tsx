// The moves of an event before it was sent: from when and where, to when and where, and why.
import type { EventDetail } from '../../api/types.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Panel } from '../../ui/panel.tsx'

type Move = EventDetail['moves'][number]

const CAUSES: Record<Move['cause'], string> = {
  TIMEZONE_CHANGED: 'Timezone of the person changed',
  BIRTH_DATE_CHANGED: 'Date of birth changed',
  OCCASION_CHANGED: 'Occasion changed',
  OCCASION_PAUSED: 'Occasion paused',
  OCCASION_RESUMED: 'Occasion resumed',
  REPAIRED: 'Plan repaired',
  TASK_CHANGED: 'Task changed',
  TIMEZONE_RULES_CHANGED: 'Timezone rules changed',
}

export function Moves({ moves }: { moves: readonly Move[] }) {
  if (moves.length === 0) return null
  return (
    <Panel title={`Moves (${moves.length})`}>
      <ol className="space-y-2">
        {moves.map(({ at, cause, from, to }) => (
          <li key={at + cause}>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{CAUSES[cause]}</span>
              <span className="text-soft text-xs">
                <Ago at={at} utc />
              </span>
            </p>
            <p className="flex flex-wrap items-center gap-x-2 text-sm">
              <Place slot={from} none="Not planned" />
              <span aria-hidden="true" className="text-soft">
                →
              </span>
              <span className="sr-only">to</span>
              <Place slot={to} none="Not planned" />
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Place({ slot, none }: { slot: Move['from']; none: string }) {
  if (slot === null) return <span className="text-soft">{none}</span>
  return <LocalTime at={slot.utc} local={slot.local} timezone={slot.timezone} dial={false} />
}
