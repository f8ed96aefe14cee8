// How often an occasion repeats: a preset with its days, or a recurrence rule.
import { Input, Select, Toggles } from '../../../ui/field.tsx'
import {
  type Monthly,
  monthlyOf,
  monthlyRule,
  type Preset,
  WEEKDAY_ORDINALS,
  weekdayOn,
  weekdaysOf,
  weeklyRule,
} from './presets.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const WEEKDAY_CHOICES = Object.fromEntries(WEEKDAYS.map((name, weekday) => [weekday, name.slice(0, 3)]))
const ORDINAL_NAMES = ['First', 'Second', 'Third', 'Fourth', 'Last']
const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => index + 1)

export function PresetSelect({ preset, onChoose }: { preset: Preset; onChoose: (preset: Preset) => void }) {
  return (
    <Select label="Repeats" value={preset} onChange={({ target }) => onChoose(target.value as Preset)}>
      <option value="YEARLY">Every year</option>
      <option value="MONTHLY">Every month</option>
      <option value="WEEKLY">Every week</option>
      <option value="ONCE">Once</option>
      <option value="CUSTOM">Custom (RRULE)</option>
    </Select>
  )
}

type RuleFieldsProps = {
  preset: Preset
  /** `2026-11-15` */
  date: string
  value: string
  onChange: (rule: string) => void
  problem: string | undefined
}

/** The fields of the preset. They span the two columns of the form. */
export function RuleFields({ preset, date, value, onChange, problem }: RuleFieldsProps) {
  if (preset === 'WEEKLY') {
    return (
      <div className="col-span-2">
        <Toggles
          label="Weekdays"
          values={(weekdaysOf(value) ?? []).map(String)}
          choices={WEEKDAY_CHOICES}
          onChange={(weekdays) => onChange(weeklyRule(weekdays.map(Number)))}
        />
      </div>
    )
  }
  if (preset === 'MONTHLY') {
    const monthly = monthlyOf(value) ?? { on: 'last' }
    return <MonthlyFields monthly={monthly} date={date} onChange={(next) => onChange(monthlyRule(next))} />
  }
  if (preset !== 'CUSTOM') return null
  return (
    <div className="col-span-2">
      <Input
        label="RRULE"
        required
        spellCheck={false}
        autoComplete="off"
        placeholder="FREQ=MONTHLY;BYDAY=-1FR"
        className="font-mono text-xs"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        problem={problem}
      />
    </div>
  )
}

type MonthlyFieldsProps = { monthly: Monthly; date: string; onChange: (monthly: Monthly) => void }

function MonthlyFields({ monthly, date, onChange }: MonthlyFieldsProps) {
  const first: Record<Monthly['on'], Monthly> = {
    day: { on: 'day', day: Number(date.slice(8)) || 1 },
    last: { on: 'last' },
    weekday: { on: 'weekday', ordinal: ordinalOn(date), weekday: weekdayOn(date) || 0 },
  }
  return (
    <div className="col-span-2 grid grid-cols-[2fr_1fr_1fr] gap-3 max-md:grid-cols-2">
      <Select
        label="On"
        value={monthly.on}
        onChange={({ target }) => onChange(first[target.value as Monthly['on']])}
      >
        <option value="day">A day of the month</option>
        <option value="weekday">A weekday</option>
        <option value="last">The last day of the month</option>
      </Select>
      {monthly.on === 'day' && (
        <Select
          label="Day"
          value={monthly.day}
          onChange={({ target }) => onChange({ on: 'day', day: Number(target.value) })}
        >
          {MONTH_DAYS.map((day) => (
            <option key={day} value={day}>
              {day}
            </option>
          ))}
        </Select>
      )}
      {monthly.on === 'weekday' && (
        <>
          <Select
            label="Which"
            value={monthly.ordinal}
            onChange={({ target }) => onChange({ ...monthly, ordinal: Number(target.value) })}
          >
            {WEEKDAY_ORDINALS.map((ordinal, index) => (
              <option key={ordinal} value={ordinal}>
                {ORDINAL_NAMES[index]}
              </option>
            ))}
          </Select>
          <Select
            label="Weekday"
            value={monthly.weekday}
            onChange={({ target }) => onChange({ ...monthly, weekday: Number(target.value) })}
          >
            {WEEKDAYS.map((name, weekday) => (
              <option key={name} value={weekday}>
                {name}
              </option>
            ))}
          </Select>
        </>
      )}
    </div>
  )
}

/** The 29th and later days count as the last of their weekday. */
function ordinalOn(date: string): number {
  const ordinal = Math.ceil((Number(date.slice(8)) || 1) / 7)
  return ordinal > 4 ? -1 : ordinal
}
