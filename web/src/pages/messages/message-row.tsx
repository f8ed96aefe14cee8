// One message in a list: its status, person, type, due time and result. Opens the message.

import type { ReactNode } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { useWaitsFor } from '../../api/today.ts'
import type { ListedEvent } from '../../api/types.ts'
import { dateText, latencyText, retryText, typeText } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Link } from '../../router.tsx'
import { waitText } from '../../shell/stopped-text.ts'
import { StatusMark } from '../../ui/status.tsx'
import { reasonText } from '../failures/reasons.ts'

export type Message = Pick<
  ListedEvent,
  | 'id'
  | 'firstName'
  | 'lastName'
  | 'status'
  | 'eventType'
  | 'occurrence'
  | 'targetTimestampUTC'
  | 'targetTimestampLocal'
  | 'targetTimezone'
  | 'executedAt'
  | 'failureReason'
  | 'retryCount'
  | 'channelId'
>

type MessageRowProps = {
  message: Message
  /** Before the row, such as a checkbox. */
  before?: ReactNode
  /** New rows slide in. */
  arrives?: boolean
  /** Its group names the reason: the row shows when it failed. */
  isGrouped?: boolean
}

export function MessageRow({ message, before, arrives = false, isGrouped = false }: MessageRowProps) {
  const { id, status, eventType, occurrence } = message
  const waitsFor = useWaitsFor()(message)
  return (
    <li className="flex items-center hover:bg-raised">
      {before}
      <Link
        to={`event/${id}`}
        data-row
        className={`grid min-w-0 flex-1 grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-x-4 px-4 py-2 md:grid-cols-[5.5rem_minmax(0,1.2fr)_minmax(0,1.6fr)_7rem] xl:grid-cols-[5.5rem_minmax(0,1.2fr)_minmax(0,1.6fr)_14.5rem] ${arrives ? 'animate-arrive' : ''}`}
      >
        <StatusMark status={status} isWaiting={waitsFor !== undefined} />
        <span className="min-w-0 truncate">
          <bdi>{fullName(message)}</bdi>
          <span className="text-soft">
            {' '}
            {typeText(eventType)}
            {retryText(occurrence)}
            {/* Wider screens have a column for it. */}
            <span className="md:hidden"> {dateText(message.targetTimestampLocal)}</span>
          </span>
        </span>
        <span className="max-md:hidden">
          <LocalTime
            at={message.targetTimestampUTC}
            local={message.targetTimestampLocal}
            timezone={message.targetTimezone}
          />
        </span>
        {/* On phones a line of its own, so that neither the name nor the reason is cut. */}
        <span className="text-soft text-xs max-md:col-start-2 md:text-right">
          {isGrouped && message.executedAt !== null ? (
            <Ago at={message.executedAt} />
          ) : waitsFor !== undefined ? (
            waitText(waitsFor)
          ) : (
            <Outcome message={message} />
          )}
        </span>
      </Link>
    </li>
  )
}

function Outcome({ message }: { message: Message }) {
  const { status, executedAt, targetTimestampUTC, retryCount } = message
  if (status === 'COMPLETED' && executedAt !== null) {
    const lateMs = Math.max(0, Date.parse(executedAt) - Date.parse(targetTimestampUTC))
    return <span data-tip="Time from due to delivered">{latencyText(lateMs)} delay</span>
  }
  if (status === 'FAILED') {
    const reason = message.failureReason ?? ''
    return (
      <span data-tip={reason} className="block truncate text-failed">
        {reasonText(reason)}
      </span>
    )
  }
  if (retryCount > 0) return <>retry {retryCount}</>
  return <Ago at={targetTimestampUTC} />
}
