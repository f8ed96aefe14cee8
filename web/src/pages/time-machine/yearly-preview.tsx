// Preview of a yearly occasion of one person, with its exceptions and what-if changes.
import { useMemo, useState } from 'react'
import type { Explanation } from '../../../../src/domain/occasions/explain.ts'
import { cityOf, count, fromNow, utcText, wallAt } from '../../clock/format.ts'
import { LocalTime } from '../../clock/local-time.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choices } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DateSlider } from './date-slider.tsx'
import { type Rule, yearsAhead } from './forecast.ts'
import { Notes } from './notes.tsx'
import { PreviewDate } from './preview-date.tsx'
import { jsonCaseOf, testCaseOf } from './test-case.ts'

type YearlyPreviewProps = {
  rule: Rule
  changed: Rule
  name: string
  now: number
  at: number
  onClock: (at: number) => void
}

export function YearlyPreview({ rule, changed, name, now, at, onClock }: YearlyPreviewProps) {
  const [exporting, setExporting] = useState(false)
  const isWhatIf = JSON.stringify(rule) !== JSON.stringify(changed)
  const key = JSON.stringify(changed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rule is a new object on every render, so compare its JSON
  const ahead = useMemo(() => yearsAhead(changed, now), [key, now])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rule is a new object on every render, so compare its JSON
  const asIs = useMemo(() => yearsAhead(rule, now), [JSON.stringify(rule), now])
  const fired = ahead.filter(({ instant }) => instant <= at)
  const next = ahead.find(({ instant }) => instant > at)
  const before = new Map(asIs.map((one) => [one.year, one]))
  return (
    <>
      <Panel>
        <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
          <PreviewDate at={at} timezone={changed.timezone} />
          <p className="text-soft">
            {at <= now ? 'now' : fromNow(at, now)}
            {fired.length > 0 && `, after ${count(fired.length, 'message')}`}
          </p>
        </div>
        <DateSlider from={now} value={at} onChange={onClock} marks={ahead} />
        {next !== undefined && (
          <p className="mt-4 text-base">
            Next message{name === '' ? '' : ` for ${name}`}:{' '}
            <LocalTime at={next.instant} local={next.local} timezone={changed.timezone} />
          </p>
        )}
      </Panel>
      <Panel
        title={`${isWhatIf ? 'What-if messages' : 'Messages'} in ${cityOf(changed.timezone)}`}
        aside={
          <Button look="quiet" icon="copy" onClick={() => setExporting(true)}>
            Export as test
          </Button>
        }
        flush
      >
        <ol className="divide-y divide-line">
          {ahead.map((one) => (
            <Row
              key={one.year}
              at={one}
              isPast={one.instant <= at}
              isNext={one === next}
              timezone={changed.timezone}
              before={isWhatIf ? before.get(one.year) : undefined}
            />
          ))}
        </ol>
      </Panel>
      {exporting && <Export rule={changed} ahead={ahead.slice(0, 12)} onClose={() => setExporting(false)} />}
    </>
  )
}

type RowProps = {
  at: Explanation
  isPast: boolean
  isNext: boolean
  timezone: string
  before: Explanation | undefined
}

function Row({ at, isPast, isNext, timezone, before }: RowProps) {
  const moved = before !== undefined && before.instant !== at.instant
  return (
    <li
      className={`grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 px-4 py-2 ${isNext ? 'bg-accent-wash' : ''} ${isPast ? 'text-soft' : ''}`}
    >
      <span aria-hidden="true" className={isPast ? 'text-sent' : 'text-soft'}>
        {isPast ? '✓' : '○'}
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3">
          <LocalTime at={at.instant} local={at.local} timezone={timezone} place={false} />
          {moved && before !== undefined && (
            <span className="text-soft text-xs">
              instead of {wallAt(before.instant, 0).day} {utcText(before.instant)}
            </span>
          )}
        </div>
        <Notes notes={at.notes} />
      </div>
    </li>
  )
}

function Export({
  rule,
  ahead,
  onClose,
}: {
  rule: Rule
  ahead: readonly Explanation[]
  onClose: () => void
}) {
  const [form, setForm] = useState<'test' | 'json'>('test')
  return (
    <Dialog title="Export as test" onClose={onClose} wide>
      <div className="space-y-3">
        <Choices label="Format" value={form} onChange={setForm} choices={{ test: 'Vitest', json: 'JSON' }} />
        <Code label={form === 'test' ? 'occurrences.test.ts' : 'occurrences.json'}>
          {form === 'test' ? testCaseOf(rule, ahead) : jsonCaseOf(rule, ahead)}
        </Code>
      </div>
    </Dialog>
  )
}
