// One line of an account: its column, its message, when it was due and settled, and why it is in this column.
import type { LedgerLine } from '../../api/types.ts'
import { durationText, readerTimeText, retryText, typeText, utcText, wallAt } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/panel.tsx'
import { ColumnMark } from './column-mark.tsx'
import { dayText, instantText } from './day-text.ts'

export function Line({ line }: { line: LedgerLine }) {
  const { column, evidence, because, carriedFrom } = line
  return (
    <li className="grid items-start gap-x-4 gap-y-1 px-4 py-2.5 md:grid-cols-[7rem_minmax(0,1fr)_20rem] md:py-2">
      <ColumnMark column={column} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <Message line={line} />
          {carriedFrom !== null && <Badge>from {dayText(carriedFrom)}</Badge>}
        </p>
        <p className="text-soft">
          {line.reason !== null && line.reasonText}
          {because !== null && (
            <>
              {' '}
              <Link to={`event/${because}`} className="text-accent underline">
                The other message
              </Link>
            </>
          )}
        </p>
        {evidence !== null && (
          <p className="text-soft text-xs">
            {instantText(evidence.at)}: {evidence.text}
          </p>
        )}
      </div>
      <p>
        <Times line={line} />
      </p>
    </li>
  )
}

/** The person and all that leads to them is gone once they were erased. A line without an event leads to the person. */
function Message({ line }: { line: LedgerLine }) {
  const { eventId, occasionId, occurrence, userId, firstName, lastName, occasionType } = line
  if (occasionId === null && eventId === null) return <span className="text-soft italic">erased</span>
  const name = userId === null ? 'Deleted person' : `${firstName} ${lastName}`
  const about = (occasionType === null ? '' : typeText(occasionType)) + retryText(occurrence ?? '')
  const to = eventId !== null ? `event/${eventId}` : userId !== null ? `people/${userId}` : null
  return (
    <>
      {to === null ? (
        name
      ) : (
        <Link to={to} data-row className="font-medium text-accent underline">
          <bdi>{name}</bdi>
        </Link>
      )}
      <span className="text-soft">{about}</span>
    </>
  )
}

function Times({
  line: { dueAt, localTime, expectedAt, settledAt, lateSeconds, column },
}: {
  line: LedgerLine
}) {
  if (dueAt === null) return null
  const due = Date.parse(dueAt)
  const { date } = wallAt(due, 0)
  const isSent = column === 'delivered' || column === 'surplus'
  return (
    <>
      <time dateTime={dueAt} data-tip={`Your time: ${readerTimeText(due)}`} className="block">
        Due {instantText(dueAt)}
        {localTime !== null && ` (${localTime.slice(11)} local)`}
      </time>
      {expectedAt !== null && (
        <time dateTime={expectedAt} className="block">
          Expected {instantText(expectedAt)}
        </time>
      )}
      {settledAt !== null && (
        <span className="block text-soft text-xs">
          {isSent ? 'Delivered' : 'Settled'}{' '}
          <time dateTime={settledAt}>{utcText(Date.parse(settledAt), date, true)}</time>
          {isSent && lateSeconds !== null && `, ${durationText(lateSeconds * 1_000)} delay`}
        </span>
      )}
    </>
  )
}
