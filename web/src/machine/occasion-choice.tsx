// Which of a person's yearly occasions to look ahead for.
import { useOccasions } from '../api/occasions.ts'
import { useUser } from '../api/people.ts'
import { typeText } from '../clock/format.ts'
import { setParams, useParam } from '../router.tsx'
import { Select } from '../ui/field.tsx'

export function OccasionChoice({ userId }: { userId: string }) {
  const user = useUser(userId).data
  const [chosen] = useParam('occasion')
  const all = useOccasions(userId).data?.items ?? []
  const yearly = all.filter(({ repeats, calendar }) => repeats === 'YEARLY' && calendar === 'gregorian')
  if (user === undefined || yearly.length < 2) return null
  const choose = (id: string) => {
    const occasion = yearly.find((one) => one.id === id)
    if (occasion === undefined) return
    const { date, localTime, leapDay } = occasion
    const rule = { dob: date ?? user.dateOfBirth, time: localTime === '09:00' ? '' : localTime }
    setParams({ ...rule, leap: leapDay === 'MARCH_1' ? '' : leapDay, occasion: id })
  }
  return (
    <Select label="Occasion" value={chosen} onChange={({ target }) => choose(target.value)}>
      {yearly.map(({ id, type }) => (
        <option key={id} value={id}>
          {typeText(type)}
        </option>
      ))}
    </Select>
  )
}
