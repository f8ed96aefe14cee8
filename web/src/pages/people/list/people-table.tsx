// The table of people.
import type { PersonRow } from '../../../api/types.ts'
import { Dial } from '../../../clock/dial.tsx'
import { cityOf, fromNow, offsetText, typeText, wallIn } from '../../../clock/format.ts'
import { Ago, LocalTime } from '../../../clock/local-time.tsx'
import { useNow, useNowFor } from '../../../clock/now.ts'
import { Link } from '../../../router.tsx'
import { Badge } from '../../../ui/panel.tsx'
import { StatusMark } from '../../../ui/status.tsx'

type PeopleTableProps = {
  rows: readonly PersonRow[]
  selected: string | null
  /** The filters, kept when a person is opened. */
  query: string
  onZone: (timezone: string) => void
}

const HEAD = 'px-4 py-2 text-left font-normal text-soft text-xs'
const CELL = 'px-4 py-2 align-middle'

export function PeopleTable({ rows, selected, query, onZone }: PeopleTableProps) {
  return (
    <table className="w-full border-collapse">
      <thead className="border-line border-b">
        <tr>
          <th className={HEAD}>Name</th>
          <th className={HEAD}>Local time</th>
          <th className={`${HEAD} max-lg:hidden`}>Next message</th>
          <th className={`${HEAD} text-right`}>Due in</th>
          <th className={`${HEAD} max-md:hidden`}>Last result</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <Row
            key={row.user.id}
            row={row}
            isSelected={row.user.id === selected}
            query={query}
            onZone={onZone}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { row: PersonRow; isSelected: boolean; query: string; onZone: (timezone: string) => void }

function Row({ row, isSelected, query, onZone }: RowProps) {
  const { user, next, last, demo } = row
  return (
    <tr className={`relative hover:bg-raised ${isSelected ? 'bg-raised' : ''}`}>
      <td className={CELL}>
        <Link
          to={`people/${user.id}${query}`}
          data-row
          aria-current={isSelected ? 'true' : undefined}
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-fill"
        >
          {user.firstName} {user.lastName}
        </Link>{' '}
        {demo && <Badge>demo</Badge>}
      </td>
      <td className={CELL}>
        <ClockOf timezone={user.timezone} onZone={onZone} />
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        {next === null ? (
          <span className="text-soft">none scheduled</span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-2">
            <LocalTime at={next.utc} local={next.local} timezone={user.timezone} place={false} dial={false} />
            {next.type !== 'BIRTHDAY' && <Badge>{typeText(next.type)}</Badge>}
          </span>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap text-right`}>{next !== null && <In at={next.utc} />}</td>
      <td className={`${CELL} max-md:hidden`}>
        {last === null ? (
          <span className="text-soft">–</span>
        ) : (
          <Link
            to={`event/${last.eventId}`}
            className="relative z-10 inline-flex items-center gap-2 hover:underline"
          >
            <StatusMark status={last.status} />
            <span className="text-soft text-xs">
              <Ago at={last.at} />
            </span>
          </Link>
        )}
      </td>
    </tr>
  )
}

function ClockOf({ timezone, onZone }: { timezone: string; onZone: (timezone: string) => void }) {
  const { time, day, minuteOfDay, offsetMinutes } = wallIn(useNow(60_000), timezone)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Dial minuteOfDay={minuteOfDay} />
      <span className="font-semibold" data-tip={`${day}\n${timezone}, ${offsetText(offsetMinutes)}`}>
        {time}
      </span>
      <button
        type="button"
        onClick={() => onZone(timezone)}
        data-tip={`Show only ${timezone}`}
        className="relative z-10 text-left text-soft hover:text-ink hover:underline"
      >
        {cityOf(timezone)}
      </button>
    </span>
  )
}

function In({ at }: { at: string }) {
  const instant = Date.parse(at)
  return <>{fromNow(instant, useNowFor(instant)).replace(/^in /, '')}</>
}
