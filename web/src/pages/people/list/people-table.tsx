// The table of people.

import type { ReactNode } from 'react'
import { fullName } from '../../../../../src/domain/users/full-name.ts'
import { isDemo } from '../../../api/people.ts'
import type { ListedUser } from '../../../api/types.ts'
import { Dial } from '../../../clock/dial.tsx'
import { cityOf, fromNow, offsetText, typeText, wallIn } from '../../../clock/format.ts'
import { Ago, LocalTime } from '../../../clock/local-time.tsx'
import { useNow, useNowFor } from '../../../clock/now.ts'
import { Link, setParams, useSearch } from '../../../router.tsx'
import { Badge } from '../../../ui/panel.tsx'
import { type Selection, SelectRow } from '../../../ui/selection.tsx'
import { StatusMark } from '../../../ui/status.tsx'

type PeopleTableProps = {
  rows: readonly ListedUser[]
  /** The person in the panel beside the table. */
  open: string | null
  selection: Selection
}

const HEAD = 'px-4 py-2 text-left font-normal text-soft text-xs max-md:px-2'
const CELL = 'px-4 py-2 align-middle max-md:px-2'

export function PeopleTable({ rows, open, selection }: PeopleTableProps) {
  const page = rows.map(({ id }) => id)
  // The filters are kept when a person is opened.
  const query = useSearch()
  return (
    <table className="w-full border-collapse">
      <thead className="border-line border-b">
        <tr>
          <th className="w-8 pl-4">
            <span className="sr-only">Selected</span>
          </th>
          <th className={HEAD}>Name</th>
          <th className={HEAD}>Local time</th>
          <th className={`${HEAD} max-lg:hidden`}>Next message</th>
          <th className={`${HEAD} text-right`}>Due in</th>
          <th className={`${HEAD} max-md:hidden`}>Last result</th>
          <th className={`${HEAD} max-xl:hidden`}>Added</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((user) => (
          <Row
            key={user.id}
            user={user}
            isOpen={user.id === open}
            query={query}
            box={<SelectRow selection={selection} page={page} id={user.id} label={fullName(user)} />}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { user: ListedUser; isOpen: boolean; query: string; box: ReactNode }

function Row({ user, isOpen, query, box }: RowProps) {
  const { next, last } = user
  return (
    <tr className={`relative hover:bg-raised ${isOpen ? 'bg-raised' : ''}`}>
      {/* Above the link, which covers the row. */}
      <td className="relative z-10 w-8 py-2 pl-4 align-middle">
        <span className="flex">{box}</span>
      </td>
      <td className={CELL}>
        <Link
          to={`people/${user.id}${query}`}
          data-row
          aria-current={isOpen ? 'true' : undefined}
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-fill"
        >
          {fullName(user)}
        </Link>{' '}
        {isDemo(user) && <Badge>demo</Badge>}
      </td>
      {/* The name of a city is not broken within a word. */}
      <td className={`${CELL} wrap-break-word`}>
        <ClockOf timezone={user.timezone} />
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
      <td className={`${CELL} whitespace-nowrap text-soft text-xs max-xl:hidden`}>
        <Ago at={user.createdAt} />
      </td>
    </tr>
  )
}

function ClockOf({ timezone }: { timezone: string }) {
  const { time, day, minuteOfDay, offsetMinutes } = wallIn(useNow(60_000), timezone)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Dial minuteOfDay={minuteOfDay} />
      <span className="font-semibold" data-tip={`${day}\n${timezone}, ${offsetText(offsetMinutes)}`}>
        {time}
      </span>
      <button
        type="button"
        onClick={() => setParams({ zone: timezone, cursor: '' }, { isEntry: true })}
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
