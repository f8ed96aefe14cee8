// Says why an event falls on its instant and what became of it since, for whoever is asked about it.
import { parseCivilDate } from '../domain/calendar.ts'
import type { Event } from '../domain/event.ts'
import { explainOccurrence } from '../domain/explain.ts'
import { type Happening, historyOf, summaryOf } from '../domain/history.ts'
import { type Occasion, ruleOf } from '../domain/occasion.ts'
import { formatInstant, formatLocal } from '../domain/timestamp.ts'
import type { TimezoneTable } from '../domain/tzdb.ts'
import type { User } from '../domain/user.ts'
import type { Store } from '../ports/store.ts'
import { readStory } from './story.ts'

export type EventExplanation = {
  summary: string
  instant: {
    utc: string
    local: string
    timezone: string
    /** `-07:00` */
    offset: string
    tzVersion: string
    /** The rule as it stands today. */
    rule: string
    why: string
  }
  oddities: { code: string; text: string }[]
  history: Happening[]
}

export async function explainEvent(
  deps: { store: Store; table: TimezoneTable },
  eventId: string,
): Promise<EventExplanation | null> {
  const story = await readStory(deps.store, eventId)
  const person = story && (await deps.store.readPerson(story.event.userId))
  const occasion = person?.plans.find((plan) => plan.occasion.id === story?.event.occasionId)?.occasion
  // Deleted while we looked.
  if (!story || !person || !occasion) return null
  return {
    summary: summaryOf(story),
    ...explainInstant(story.event, occasion, {
      user: person.user,
      table: deps.table,
    }),
    history: historyOf(story),
  }
}

function explainInstant(
  event: Event,
  occasion: Occasion,
  { user, table }: { user: User; table: TimezoneTable },
): Pick<EventExplanation, 'instant' | 'oddities'> {
  const { targetAt, offsetSeconds, timezone, tzVersion } = event
  // Where it was planned for, which need not be where the person lives now.
  const rule = ruleOf(occasion, {
    ...user,
    timezone: event.timezone as User['timezone'],
  })
  const today = explainOccurrence(rule, Number.parseInt(event.occurrence, 10), table)
  const local = formatLocal(targetAt, offsetSeconds)
  const offset = local.slice(19)
  const date = local.slice(0, 10)
  return {
    instant: {
      utc: formatInstant(targetAt),
      local,
      timezone,
      offset,
      tzVersion,
      rule: `every year on ${dayInWords(rule.date)} at ${occasion.localTime}, by the clocks of the place`,
      why: `On ${date} the clocks in ${timezone} are at UTC${offset} (IANA ${tzVersion}), so ${local.slice(11, 16)} there is ${formatInstant(targetAt).slice(11, 16)} UTC.`,
    },
    oddities: today.instant === targetAt ? today.oddities : [changedSince(event, today.local, table)],
  }
}

function changedSince({ tzVersion }: Event, today: string, table: TimezoneTable) {
  const law = `the law (IANA ${tzVersion} then, ${table.version} now)`
  const what =
    tzVersion === table.version ? 'the date or the time of day' : `the date, the time of day or ${law}`
  const text = `It was planned by what held then. Since then ${what} has changed: by today's rule it would be ${today}.`
  return { code: 'CHANGED_SINCE', text }
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** `15 December`. The year of birth is nobody's business here. */
function dayInWords(date: string): string {
  const { month, day } = parseCivilDate(date)!
  return `${day} ${MONTHS[month - 1]}`
}
