// The messages of many people from a date on.
import { describe, expect, it } from 'vitest'
import { readPeople } from '../../../../web/src/pages/time-machine/csv.ts'
import { nextMessages } from '../../../../web/src/pages/time-machine/forecast.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe('the preview of a CSV file', () => {
  it('lists the next message of each person, soonest first, or only exceptions', () => {
    const { people } = readPeople(
      'name,dob,tz\nLeap,1992-02-29,UTC\nSoon,1990-11-16,UTC\nEast,1990-11-16,Asia/Tokyo\n',
    )
    const ruleOf = (person: (typeof people)[number]) => ({
      date: person.dateOfBirth,
      timezone: person.timezone,
    })
    const all = nextMessages(people, ruleOf, NOW, { onlyExceptions: false, limit: 10 })
    expect(all.map(({ person }) => person.name)).toEqual(['East', 'Soon', 'Leap'])
    const odd = nextMessages(people, ruleOf, NOW, { onlyExceptions: true, limit: 10 })
    expect(odd.map(({ at }) => at.notes[0]!.code)).toEqual(['LEAP_DAY_MOVED'])
  })
})
