// Mistakes with birthdays and other anniversaries: their year, their end, and the day on which a person is created.
import type { PlannedEvent } from '../../../src/domain/events/event.ts'
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import { planFirst } from '../../../src/engine/plan.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const yearOfBirthIgnored: Mistake = {
  name: 'year-of-birth-ignored',
  description: 'A corrected year of birth moves no birthday by another calendar or every few years.',
  breaks: ['due at local time', 'one planned event', 'every day is explained'],
  store: (store) =>
    replaceIn(store, {
      async updateUser({ user, reschedules, ...rest }) {
        const was = await store.findUser(user.id)
        const sameDay = was?.dateOfBirth.slice(5) === user.dateOfBirth.slice(5)
        const moves = sameDay && was?.timezone === user.timezone ? null : reschedules
        return store.updateUser({ user, reschedules: moves, ...rest })
      },
    }),
}

const endedBirthdayKept: Mistake = {
  name: 'ended-birthday-kept',
  description: 'A birthday that is corrected to a day after its last date keeps its event.',
  breaks: ['due at local time', 'one planned event'],
  store: (store) =>
    replaceIn(store, {
      async updateUser({ user, reschedules, ...rest }) {
        const person = await store.readPerson(user.id)
        const open = new Map(person?.plans.map((plan) => [plan.open?.id, plan]))
        const kept = reschedules?.map((one) => {
          const plan = one.removed ? open.get(one.eventId) : undefined
          if (!plan?.open) return one
          const to: PlannedEvent = { ...plan.open, occasionId: plan.occasion.id }
          return { eventId: one.eventId, version: one.version, to }
        })
        return store.updateUser({ user, reschedules: kept ?? null, ...rest })
      },
    }),
}

const yearZeroGreeted: Mistake = {
  name: 'year-zero-greeted',
  description: 'The date of an anniversary itself is an anniversary.',
  breaks: ['due at local time', 'one planned event'],
  store: (store, { planner }) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { occasion, open, at: now } = save
        const person = await store.readPerson(occasion.userId)
        if (open.kind !== 'insert' || occasion.version > 1 || person === null || occasion.date === null)
          return store.saveOccasion(save)
        const schedule = { occasion: aYearOlder(occasion), user: person.user, task: null }
        const event = planFirst(planner, schedule, { now, after: null })
        return store.saveOccasion({ ...save, open: { ...open, event } })
      },
    }),
}

/** The occasion as if its date were a year earlier. */
function aYearOlder(occasion: Occasion): Occasion {
  const { date, repeats, calendar } = occasion
  if (date === null || repeats !== 'YEARLY' || calendar !== 'gregorian' || date.endsWith('02-29'))
    return occasion
  return { ...occasion, date: `${Number(date.slice(0, 4)) - 1}${date.slice(4)}` }
}

const todayForgotten: Mistake = {
  name: 'today-forgotten',
  description:
    'A person who is created after the time of today’s birthday gets no message at once, though it was asked for.',
  breaks: ['one planned event'],
  store: (store, { planner }) =>
    replaceIn(store, {
      createUsers: (people, response, how) =>
        store.createUsers(
          people.map((person) => {
            const schedule = { occasion: person.occasions[0]!, user: person.user, task: null }
            const event = planFirst(planner, schedule, { now: person.user.createdAt, after: null })!
            return { ...person, events: [event] }
          }),
          response,
          how,
        ),
    }),
}

const calendarIgnored: Mistake = {
  name: 'calendar-ignored',
  description: 'An occasion by another calendar is planned by the Gregorian one.',
  breaks: ['due at local time', 'one planned event'],
  store: (store, { planner }) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { occasion, open, at: now } = save
        const person = await store.readPerson(occasion.userId)
        if (open.kind !== 'insert' || person === null || occasion.calendar === 'gregorian')
          return store.saveOccasion(save)
        const schedule = {
          occasion: { ...occasion, calendar: 'gregorian' as const },
          user: person.user,
          task: null,
        }
        const event = planFirst(planner, schedule, { now, after: null })
        return store.saveOccasion({ ...save, open: { ...open, event } })
      },
    }),
}

export const BIRTHDAY_MISTAKES: readonly Mistake[] = [
  yearOfBirthIgnored,
  endedBirthdayKept,
  yearZeroGreeted,
  todayForgotten,
  calendarIgnored,
]
