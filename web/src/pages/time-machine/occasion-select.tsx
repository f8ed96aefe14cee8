// Selects which occasion of a person to preview.
import { occasionInWords } from '../../../../src/domain/occasions/rule-in-words.ts'
import { useOccasions } from '../../api/occasions.ts'
import { useUser } from '../../api/people.ts'
import type { Occasion } from '../../api/types.ts'
import { typeText } from '../../clock/format.ts'
import { setParams, useParam } from '../../router.tsx'
import { Select } from '../../ui/field.tsx'

export function OccasionSelect({ userId }: { userId: string }) {
  const user = useUser(userId).data
  const [chosen] = useParam('occasion')
  const all = useOccasions(userId).data?.items ?? []
  if (user === undefined || all.length < 2) return null
  const choose = (id: string) => {
    const occasion = all.find((one) => one.id === id)
    if (occasion === undefined) return
    const { date, localTime, leapDay } = occasion
    const rule = { dob: date ?? user.dateOfBirth, time: localTime === '09:00' ? '' : localTime }
    setParams({ ...rule, leap: leapDay === 'MARCH_1' ? '' : leapDay, occasion: id })
  }
  return (
    <Select label="Occasion" value={chosen} onChange={({ target }) => choose(target.value)}>
      {all.map((occasion) => (
        <option key={occasion.id} value={occasion.id}>
          {typeText(occasion.type)}
          {isPlain(occasion) ? '' : `, ${ruleText(occasion, user.dateOfBirth)}`}
        </option>
      ))}
    </Select>
  )
}

/** The selected occasion, unless it is a plain yearly one: the browser calculates only those. */
export function useServerOccasion(userId: string): Occasion | undefined {
  const [chosen] = useParam('occasion')
  const all = useOccasions(userId, { enabled: userId !== '' && chosen !== '' }).data?.items ?? []
  const occasion = all.find(({ id }) => id === chosen)
  return occasion === undefined || isPlain(occasion) ? undefined : occasion
}

function isPlain({ repeats, calendar, until }: Occasion): boolean {
  return repeats === 'YEARLY' && calendar === 'gregorian' && until === null
}

function ruleText({ repeats, calendar, until, ...rest }: Occasion, dateOfBirth: string): string {
  if (calendar !== 'gregorian') return `${typeText(calendar)} calendar`
  if (repeats === 'ONCE') return 'once'
  if (repeats === 'YEARLY') return `until ${until}`
  return occasionInWords({ repeats, calendar, until, ...rest, date: rest.date ?? dateOfBirth })
}
