// The time machine page: previews the messages of one person or of a CSV file years ahead.
import { useDeferredValue, useMemo, useState } from 'react'
import { useToday } from '../../api/today.ts'
import { browserZone } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { ZoneInput } from '../../clock/zone-input.tsx'
import { setParams, useParam } from '../../router.tsx'
import { Button, CopyButton } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Note, PageTitle, Panel } from '../../ui/panel.tsx'
import { PersonSearch } from '../people/person-search.tsx'
import { type CsvPeople, readPeople } from './csv.ts'
import { FilePreview } from './file-preview.tsx'
import { ruleFrom, TZ_VERSION } from './forecast.ts'
import { OccasionPreview } from './occasion-preview.tsx'
import { OccasionSelect, useServerOccasion } from './occasion-select.tsx'
import { useWhatIf, WhatIf } from './what-if.tsx'
import { YearlyPreview } from './yearly-preview.tsx'

/** Clears the selected person once the date or the time zone is edited. */
const NO_PERSON = { name: '', who: '', occasion: '' }

export function TimeMachine() {
  const now = useNow(3_600_000)
  const [dob] = useParam('dob')
  const [linkedZone] = useParam('zone')
  const [zone, setZone] = useState(linkedZone || browserZone())
  const [name] = useParam('name')
  const [who] = useParam('who')
  const [time] = useParam('time')
  const [leap] = useParam('leap')
  const [clock] = useParam('at')
  const [file, setFile] = useState<(CsvPeople & { name: string }) | null>(null)
  const whatIf = useWhatIf()
  const ruled = useServerOccasion(who)
  const at = useMemo(() => (clock === '' ? now : Math.max(now, Date.parse(clock) || now)), [clock, now])
  const typed = {
    date: dob || '1992-02-29',
    timezone: zone,
    localTime: time || '09:00',
    leapDay: leap || 'MARCH_1',
  }
  const rule = ruleFrom(typed)
  const changed = rule === null ? null : ruleFrom({ ...rule, ...whatIf.changes })
  const setClock = (value: number) =>
    setParams({ at: value <= now ? '' : new Date(value).toISOString().slice(0, 10) })
  const deferredAt = useDeferredValue(at)
  const serverVersion = useToday().data?.tzVersion
  return (
    <>
      <PageTitle title="Time machine" actions={<CopyButton text={location.href} label="Copy link" />}>
        Preview the messages of the coming years, and see why some dates or times differ. Nothing is stored or
        sent. Time zone data: tz {TZ_VERSION}.
      </PageTitle>
      {serverVersion !== undefined && serverVersion !== TZ_VERSION && (
        <div className="mb-4">
          <Note>
            The server schedules with tz {serverVersion}, this page previews with tz {TZ_VERSION}. Where they
            differ, the server is right.
          </Note>
        </div>
      )}
      <div className="grid gap-4 lg:grid-cols-[19rem_minmax(0,1fr)]">
        <div className="space-y-4">
          <Panel title="Person">
            <div className="space-y-3">
              <PersonSearch
                chosen={name}
                onPick={({ id, firstName, lastName, dateOfBirth, timezone }) => {
                  setFile(null)
                  setZone(timezone)
                  const person = { who: id, name: `${firstName} ${lastName}` }
                  setParams({ ...person, dob: dateOfBirth, zone: timezone, time: '', leap: '', occasion: '' })
                }}
              />
              {who !== '' && <OccasionSelect userId={who} />}
              <div className="grid grid-cols-2 gap-3 lg:grid-cols-1">
                <Input
                  label="Date"
                  type="date"
                  value={typed.date}
                  onChange={({ target }) => setParams({ dob: target.value, ...NO_PERSON })}
                />
                <ZoneInput
                  label="Time zone"
                  value={zone}
                  onChange={(timezone) => {
                    setZone(timezone)
                    setParams({ zone: timezone, ...NO_PERSON })
                  }}
                />
              </div>
              <FileDrop
                onFile={({ text, name: fileName }) => setFile({ ...readPeople(text), name: fileName })}
              >
                Or drop a CSV file with firstName, lastName, dateOfBirth and timezone
              </FileDrop>
              {file !== null && (
                <Button look="quiet" icon="close" onClick={() => setFile(null)}>
                  Remove {file.name}
                </Button>
              )}
            </div>
          </Panel>
          <WhatIf {...whatIf} base={typed} />
        </div>
        <div className="min-w-0 space-y-4">
          {file !== null ? (
            <FilePreview
              file={file}
              now={now}
              at={deferredAt}
              clock={at}
              onClock={setClock}
              changes={whatIf.changes}
            />
          ) : rule === null || changed === null ? (
            <Panel>
              <p className="text-soft">Enter a valid date and an IANA time zone such as Asia/Jakarta.</p>
            </Panel>
          ) : ruled !== undefined ? (
            <OccasionPreview
              key={ruled.id}
              occasion={ruled}
              rule={rule}
              changed={changed}
              now={now}
              at={at}
              onClock={setClock}
            />
          ) : (
            <YearlyPreview rule={rule} changed={changed} name={name} now={now} at={at} onClock={setClock} />
          )}
        </div>
      </div>
    </>
  )
}
