// The rule in words and the next dates of an occasion, while it is edited. The server calculates the dates.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { occasionInWords } from '../../../../../src/domain/occasions/rule-in-words.ts'
import { parseShift } from '../../../../../src/domain/occasions/send-day.ts'
import { parseCivilDate } from '../../../../../src/domain/time/calendar.ts'
import { previewOccasion } from '../../../api/occasions.ts'
import type { OccasionInput, User } from '../../../api/types.ts'
import { noNextText } from '../../../clock/format.ts'
import { LocalTime } from '../../../clock/local-time.tsx'
import { useDebounced } from '../../../ui/debounced.ts'
import { Loading } from '../../../ui/panel.tsx'
import { problemOfRule } from './presets.ts'

export type Draft = Required<
  Pick<OccasionInput, 'localTime' | 'repeats' | 'calendar' | 'leapDay' | 'shift' | 'onWeekend'>
> & {
  date: string
  until: string | null
}

/** The dates do not depend on the type, so that they are shown before it is complete. */
const ANY_TYPE = 'PREVIEW'

/** A birthday without a date of its own follows the date of birth, which may have no year. */
export function useNextDates(user: User, draft: Draft, isBirthday: boolean) {
  const asked = useDebounced(JSON.stringify(draft), 250)
  const { date, repeats }: Draft = JSON.parse(asked)
  return useQuery({
    queryKey: ['preview', user.id, user.timezone, asked],
    queryFn: ({ signal }) => {
      const own = isBirthday ? { type: 'BIRTHDAY', date: undefined } : { type: ANY_TYPE }
      return previewOccasion({ ...JSON.parse(asked), ...own, userId: user.id, count: 3 }, signal)
    },
    enabled: (isBirthday || parseCivilDate(date) !== null) && problemOfRule(repeats) === undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { live: false },
  })
}

type NextDatesProps = {
  user: User
  draft: Draft
  preview: ReturnType<typeof useNextDates>
  /** Why there is nothing to show. */
  hint: string | undefined
}

export function NextDates({ user, draft, preview, hint }: NextDatesProps) {
  const { data } = preview
  return (
    <section aria-label="Next messages" className="rounded-md bg-raised px-3 py-2">
      {hint !== undefined ? (
        <p className="text-soft">{hint}</p>
      ) : (
        <>
          <p className="mb-1 font-medium first-letter:uppercase">
            {occasionInWords({
              ...draft,
              date: draft.date || null,
              shiftDays: parseShift(draft.shift ?? ''),
            })}
          </p>
          {data === undefined ? (
            <Loading rows={3} />
          ) : (
            <ol className="space-y-1">
              {data.occurrences.map(({ occurrence, utc, local, reason }) => (
                <li key={occurrence}>
                  <LocalTime at={utc} local={local} timezone={user.timezone} place={false} />
                  {reason !== undefined && <p className="text-soft text-xs">{reason}</p>}
                </li>
              ))}
            </ol>
          )}
          {data != null && data.nextReason !== null && <p>{noNextText(data.nextReason)}</p>}
        </>
      )}
    </section>
  )
}
