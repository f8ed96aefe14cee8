// What-if changes: another time zone, send time or leap-day rule.
import { ZoneInput } from '../../clock/zone-input.tsx'
import { setParams, useParam } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'

export type Changes = { timezone?: string; localTime?: string; leapDay?: string }
type WhatIfState = { zone: string; time: string; leap: string; changes: Changes }

export function useWhatIf(): WhatIfState {
  const [zone] = useParam('ifZone')
  const [time] = useParam('ifTime')
  const [leap] = useParam('ifLeap')
  const changes: Changes = {
    ...(zone !== '' && { timezone: zone }),
    ...(time !== '' && { localTime: time }),
    ...(leap !== '' && { leapDay: leap }),
  }
  return { zone, time, leap, changes }
}

/** The current values: selecting one of them clears that change. */
type Base = { localTime: string; leapDay: string }

export function WhatIf({ zone, time, leap, changes, base }: WhatIfState & { base: Base }) {
  const isOn = Object.keys(changes).length > 0
  const clear = isOn ? (
    <Button look="quiet" onClick={() => setParams({ ifZone: '', ifTime: '', ifLeap: '' })}>
      Clear
    </Button>
  ) : undefined
  return (
    <Panel title="What if" aside={clear}>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-1">
        <ZoneInput
          label="If they lived in"
          required={false}
          placeholder="same time zone"
          value={zone}
          onChange={(ifZone) => setParams({ ifZone })}
        />
        <Input
          label="If sent at"
          type="time"
          value={time === '' ? base.localTime : time}
          onChange={({ target }) =>
            setParams({ ifTime: target.value === base.localTime ? '' : target.value })
          }
        />
        <Select
          label="29 February in non-leap years"
          value={leap === '' ? base.leapDay : leap}
          onChange={({ target }) => setParams({ ifLeap: target.value === base.leapDay ? '' : target.value })}
        >
          <option value="MARCH_1">1 March</option>
          <option value="FEBRUARY_28">28 February</option>
        </Select>
      </div>
    </Panel>
  )
}
