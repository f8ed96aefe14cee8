// Why the event is due at its time: local date, local time and UTC offset, and any exceptions.
import { useExplanation } from '../../api/events.ts'
import type { Explanation } from '../../api/types.ts'
import { cityOf, offsetOfLocal, offsetText, wallAt } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Loaded, Note } from '../../ui/panel.tsx'

export function EventExplanation({ id }: { id: string }) {
  const explanation = useExplanation(id)
  return (
    <Loaded query={explanation} rows={4}>
      {(explanation) => <Details explanation={explanation} />}
    </Loaded>
  )
}

function Details({ explanation }: { explanation: Explanation }) {
  const { instant, notes, summary, history } = explanation
  return (
    <div className="space-y-4">
      <Sum instant={instant} />
      <p>{summary}</p>
      <p className="text-soft">
        {sentence(instant.rule)} {instant.why}
      </p>
      {notes.map(({ code, text }) => (
        <Note key={code}>{text}</Note>
      ))}
      {history.length > 0 && (
        <details>
          <summary className="text-soft hover:text-ink">Event history</summary>
          <ol className="mt-2 space-y-1.5 border-line border-l pl-3">
            {history.map(({ at, text }) => (
              <li key={at + text}>
                <span className="text-soft text-xs">
                  <Ago at={at} utc />
                </span>
                <br />
                {text}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

/** `15 Dec 2026` at `09:00` in `Vancouver` (UTC−7 by tz 2026f) is `16:00Z`. */
function Sum({ instant }: { instant: Explanation['instant'] }) {
  const at = Date.parse(instant.utc)
  const offset = offsetOfLocal(instant.local)
  const local = wallAt(at, offset)
  const utc = wallAt(at, 0)
  const parts = [
    { value: `${local.day} ${local.year}`, what: 'Local date' },
    { value: local.time, what: `Local time in ${cityOf(instant.timezone)}` },
    { value: offsetText(offset), what: `UTC offset (tz ${instant.tzVersion})` },
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
      {parts.map(({ value, what }, index) => (
        <div key={what} className="contents">
          {index > 0 && (
            <span aria-hidden="true" className="text-soft">
              +
            </span>
          )}
          <Part value={value} what={what} />
        </div>
      ))}
      <span aria-hidden="true" className="text-accent">
        =
      </span>
      <Part value={`${utc.date === local.date ? '' : `${utc.day} `}${utc.time}Z`} what="UTC" result />
    </div>
  )
}

function Part({ value, what, result = false }: { value: string; what: string; result?: boolean }) {
  return (
    <div
      className={`flex flex-col-reverse rounded-md border px-2.5 py-1 ${result ? 'border-accent bg-accent-wash' : 'border-line-strong'}`}
    >
      <span className="text-2xs text-soft">{what}</span>
      <span className="whitespace-nowrap font-mono text-sm">{value}</span>
    </div>
  )
}
