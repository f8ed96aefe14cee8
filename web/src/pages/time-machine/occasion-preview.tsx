// Preview of an occasion with a recurrence rule or another calendar. The server calculates it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/client.ts'
import { previewOccasion } from '../../api/occasions.ts'
import type { Occasion, Occurrence } from '../../api/types.ts'
import { cityOf, fromNow, typeText, utcText, wallAt } from '../../clock/format.ts'
import { LocalTime } from '../../clock/local-time.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Empty, Loading, Note, Panel } from '../../ui/panel.tsx'
import { DateSlider } from './date-slider.tsx'
import { Notes } from './notes.tsx'
import { PreviewDate } from './preview-date.tsx'

type Rule = { date: string; timezone: string; localTime: string; leapDay: string }

type OccasionPreviewProps = {
  occasion: Occasion
  rule: Rule
  changed: Rule
  now: number
  at: number
  onClock: (at: number) => void
}

const DAY = 86_400_000
const SHOWN = 30

export function OccasionPreview({ occasion, rule, changed, now, at, onClock }: OccasionPreviewProps) {
  const isWhatIf = JSON.stringify(rule) !== JSON.stringify(changed)
  const ahead = usePreview(occasion, changed, at)
  // Starts two days earlier, because a what-if change may move an occurrence across the preview date.
  const asIs = usePreview(occasion, rule, isWhatIf ? at - 2 * DAY : at)
  const before = new Map(asIs.data?.occurrences.map((one) => [one.occurrence, one]))
  const occurrences = ahead.data?.occurrences ?? []
  return (
    <>
      <Panel>
        <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
          <PreviewDate at={at} timezone={changed.timezone} />
          <p className="text-soft">{at <= now ? 'now' : fromNow(at, now)}</p>
        </div>
        <DateSlider from={now} value={at} onChange={onClock} marks={occurrences.map(markOf)} />
        {ahead.data?.rule !== undefined && (
          <p className="mt-4 text-base first-letter:uppercase">{ahead.data.rule}</p>
        )}
      </Panel>
      <Panel
        title={`${typeText(occasion.type)}: ${isWhatIf ? 'what-if messages' : 'messages'} in ${cityOf(changed.timezone)}`}
        aside="calculated by the server"
        flush
      >
        {ahead.error !== null ? (
          <div className="p-4">
            <Note tone="failed">{messageOf(ahead.error)}</Note>
          </div>
        ) : ahead.isPending ? (
          <Loading rows={6} />
        ) : occurrences.length === 0 ? (
          <Empty title="No further occurrences.">Move the date back or choose another occasion.</Empty>
        ) : (
          <ol className="divide-y divide-line">
            {occurrences.map((one) => (
              <Row
                key={one.occurrence}
                at={one}
                timezone={changed.timezone}
                before={isWhatIf ? before.get(one.occurrence) : undefined}
              />
            ))}
          </ol>
        )}
      </Panel>
    </>
  )
}

function usePreview({ type, repeats, calendar, until }: Occasion, rule: Rule, from: number) {
  const day = new Date(Math.floor(from / DAY) * DAY).toISOString()
  const asked = useDebounced(
    JSON.stringify({ type, repeats, calendar, until, ...rule, from: day, count: SHOWN }),
  )
  return useQuery({
    queryKey: ['preview', asked],
    queryFn: ({ signal }) => previewOccasion(JSON.parse(asked), signal),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { live: false },
  })
}

function notesOf({ note, reason }: Occurrence) {
  return note === undefined ? [] : [{ code: note, text: reason ?? '' }]
}

function markOf(one: Occurrence) {
  return { instant: Date.parse(one.utc), notes: notesOf(one) }
}

type RowProps = { at: Occurrence; timezone: string; before: Occurrence | undefined }

function Row({ at, timezone, before }: RowProps) {
  const was = before === undefined ? null : Date.parse(before.utc)
  return (
    <li className="px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3">
        <LocalTime at={at.utc} local={at.local} timezone={timezone} place={false} />
        {was !== null && was !== Date.parse(at.utc) && (
          <span className="text-soft text-xs">
            instead of {wallAt(was, 0).day} {utcText(was)}
          </span>
        )}
      </div>
      <Notes notes={notesOf(at)} />
    </li>
  )
}
