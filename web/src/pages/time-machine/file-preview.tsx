// Preview of the people in a CSV file: their next messages from a date on, soonest first.
import { useMemo, useState } from 'react'
import { count } from '../../clock/format.ts'
import { LocalTime } from '../../clock/local-time.tsx'
import { Choices } from '../../ui/field.tsx'
import { Empty, Note, Panel } from '../../ui/panel.tsx'
import { ProblemList } from '../people/import/problem-list.tsx'
import { countLines } from '../people/import/problems.ts'
import type { CsvPeople, CsvPerson } from './csv.ts'
import { DateSlider } from './date-slider.tsx'
import { nextMessages, ruleFrom } from './forecast.ts'
import { Notes } from './notes.tsx'
import { PreviewDate } from './preview-date.tsx'
import type { Changes } from './what-if.tsx'

type FilePreviewProps = {
  file: CsvPeople & { name: string }
  now: number
  /** May lag behind `clock` while the slider is dragged. */
  at: number
  clock: number
  onClock: (at: number) => void
  changes: Changes
}

const LIMIT = 100

export function FilePreview({ file, now, at, clock, onClock, changes }: FilePreviewProps) {
  const [which, setWhich] = useState<'all' | 'exceptions'>('all')
  const { timezone, localTime, leapDay } = changes
  const messages = useMemo(() => {
    const ruleOf = (person: CsvPerson) => {
      const asIs = { date: person.dateOfBirth, timezone: person.timezone, localTime: '', leapDay: '' }
      const given = {
        ...asIs,
        ...(timezone && { timezone }),
        ...(localTime && { localTime }),
        ...(leapDay && { leapDay }),
      }
      return ruleFrom(given) ?? { ...asIs, localTime: '09:00', leapDay: 'MARCH_1' as const }
    }
    return nextMessages(file.people, ruleOf, at, { onlyExceptions: which === 'exceptions', limit: LIMIT })
  }, [file, timezone, localTime, leapDay, at, which])
  return (
    <>
      <Panel>
        <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
          <PreviewDate at={clock} timezone={null} />
          <p className="text-soft">
            {count(file.people.length, 'person', 'people')} in {file.name}
          </p>
        </div>
        <DateSlider from={now} value={clock} onChange={onClock} marks={[]} />
      </Panel>
      {file.problems.length > 0 && (
        <Note tone="failed">
          <p className="font-medium">{count(countLines(file.problems), 'line')} could not be read:</p>
          <ProblemList problems={file.problems} />
        </Note>
      )}
      <Panel
        title="Messages from this date"
        aside={
          <Choices
            label="Show"
            value={which}
            onChange={setWhich}
            choices={{ all: 'All', exceptions: 'Only exceptions' }}
          />
        }
        flush
      >
        {messages.length === 0 ? (
          <Empty title={which === 'exceptions' ? 'No exceptions in the following year.' : 'No messages.'} />
        ) : (
          <ol className="divide-y divide-line">
            {messages.map(({ person, at: one }, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may hold the same person twice
                key={index}
                className="px-4 py-2"
              >
                <div className="flex flex-wrap items-center justify-between gap-x-4">
                  <span className="font-medium">{person.name}</span>
                  <LocalTime at={one.instant} local={one.local} timezone={one.timezone} />
                </div>
                <Notes notes={one.notes} />
              </li>
            ))}
          </ol>
        )}
      </Panel>
    </>
  )
}
