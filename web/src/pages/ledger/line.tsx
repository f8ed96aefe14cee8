// A problem that can miss a person, or a message that failed: who, why, and the button that helps.
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { replayEvent } from '../../api/events.ts'
import { repairPlan } from '../../api/ledger.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { LedgerLine } from '../../api/types.ts'
import { readerTimeText, typeText } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { instantText } from './day-text.ts'

export function Lines({ lines }: { lines: readonly LedgerLine[] }) {
  return (
    <ul aria-label="Problems and failures" className="divide-y divide-line">
      {lines.map((line) => (
        <Line key={`${line.eventId ?? line.occasionId} ${line.reason}`} line={line} />
      ))}
    </ul>
  )
}

function Line({ line }: { line: LedgerLine }) {
  const { kind, eventId, userId, occasionType, goneAt } = line
  const isProblem = kind === 'problem'
  return (
    <li className="grid items-start gap-x-4 gap-y-1 px-4 py-2.5 md:grid-cols-[6rem_minmax(0,1fr)_18rem_8rem] md:py-2">
      <span className={isProblem && goneAt === null ? 'font-semibold text-failed' : 'text-soft'}>
        {isProblem ? (goneAt === null ? '! problem' : 'repaired') : '✕ failed'}
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link
            to={eventId === null ? `people/${userId}` : `event/${eventId}`}
            data-row
            className="font-medium text-accent underline"
          >
            <bdi>{fullName(line)}</bdi>
          </Link>
          <span className="text-soft">{typeText(occasionType)}</span>
        </p>
        <p className="text-soft">{line.reasonText}</p>
      </div>
      <p>
        <Time word="Due" at={line.dueAt} />
        {line.expectedAt !== line.dueAt && <Time word="Expected" at={line.expectedAt} />}
      </p>
      <p>{goneAt === null && <Help line={line} />}</p>
    </li>
  )
}

function Time({ word, at }: { word: string; at: string | null }) {
  if (at === null) return null
  return (
    <time dateTime={at} data-tip={`Your time: ${readerTimeText(Date.parse(at))}`} className="block">
      {word} {instantText(at)}
    </time>
  )
}

/** Nothing helps here with an event that no worker claims, nor with two planned events. */
function Help({ line: { kind, reason, eventId, occasionId } }: { line: LedgerLine }) {
  const refetches = [KEYS.ledger]
  const repairing = useAction(() => repairPlan(occasionId), { says: 'Planned again.', refetches })
  const sending = useAction(() => replayEvent(eventId!, false), {
    says: 'Scheduled again, due now.',
    refetches,
  })
  if (kind === 'failure')
    return (
      <Button icon="again" busy={sending.isPending} onClick={() => sending.mutate()}>
        Retry
      </Button>
    )
  if (reason !== 'UNPLANNED' && reason !== 'MISPLANNED') return null
  return (
    <Button icon="again" busy={repairing.isPending} onClick={() => repairing.mutate()}>
      Plan again
    </Button>
  )
}
