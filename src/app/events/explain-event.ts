// Explains why an event is due at its instant, and its outcome.

import type { Event } from '../../domain/events/event.ts'
import { type ChannelState, type Happening, historyOf, summaryOf } from '../../domain/events/history.ts'
import { originalOf } from '../../domain/events/idempotency-key.ts'
import { explainOccurrence } from '../../domain/occasions/explain.ts'
import { findInYear } from '../../domain/occasions/next-occurrence.ts'
import { isGregorianYearly, recurring } from '../../domain/occasions/recurring.ts'
import { ruleInWords } from '../../domain/occasions/rule-in-words.ts'
import { ruleOf, type Schedule } from '../../domain/occasions/schedule.ts'
import { type ChannelRecord, NO_CHANNEL } from '../../domain/settings/channel.ts'
import { defaultChannelId, stoppedChannels } from '../../domain/settings/channel-status.ts'
import { type DestinationState, isDown } from '../../domain/settings/destination.ts'
import { quietHoursInWords } from '../../domain/tasks/reminder.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { User } from '../../domain/users/user.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KernelStore, OccasionPlan } from '../../ports/store.ts'
import { slotNotes } from '../occasions/preview-occasion.ts'
import { channelNames } from './channel-names.ts'
import { readStory, type WholeStory } from './story.ts'

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
  notes: { code: string; text: string }[]
  history: Happening[]
}

export async function explainEvent(
  deps: { store: KernelStore; clock: Clock; table: TimezoneTable; hasHandlers?: boolean | undefined },
  eventId: string,
): Promise<EventExplanation | null> {
  const { store } = deps
  const [story, channels, destinations] = await Promise.all([
    readStory(store, eventId),
    store.listChannels(),
    store.listDestinations(),
  ])
  const person = story && (await store.readPerson(story.event.userId))
  const plan = person?.plans.find(({ occasion }) => occasion.id === story?.event.occasionId)
  // The person was deleted after the event was read.
  if (!story || !person || !plan) return null
  return {
    summary: summaryOf(story, channelOf(deps, { channels, destinations }, story.event), deps.clock.now()),
    ...explainInstant(story, plan, { user: person.user, table: deps.table }),
    history: historyOf(story, channelNames(channels)),
  }
}

/** The channel that sends the event, as it is now. */
function channelOf(
  { clock, hasHandlers }: { clock: Clock; hasHandlers?: boolean | undefined },
  {
    channels,
    destinations,
  }: { channels: readonly ChannelRecord[]; destinations: readonly DestinationState[] },
  { channelId }: Event,
): ChannelState {
  const id = channelId ?? defaultChannelId(channels, hasHandlers)
  const now = clock.now()
  const state = destinations.find((one) => one.channelId === id)
  return {
    name: channelNames(channels)(id)!,
    isNone: id === NO_CHANNEL,
    stopped: stoppedChannels({ channels, destinations }, now).find((channel) => channel.id === id) ?? null,
    isDown: state !== undefined && isDown(state, now),
  }
}

function explainInstant(
  story: WholeStory,
  { occasion, task }: OccasionPlan,
  { user, table }: { user: User; table: TimezoneTable },
): Pick<EventExplanation, 'instant' | 'notes'> {
  const { event } = story
  const { targetAt, offsetSeconds, timezone, tzVersion } = event
  // The timezone that the event was planned for, which may differ from the person's timezone now.
  const schedule = { occasion, task, user: { ...user, timezone: event.timezone as User['timezone'] } }
  const today = byTodaysRule(event, schedule, table)
  const local = formatLocal(targetAt, offsetSeconds)
  const offset = local.slice(19)
  const date = local.slice(0, 10)
  const quiet = task && quietHoursInWords(task, local.slice(11, 16))
  return {
    instant: {
      utc: formatInstant(targetAt),
      local,
      timezone,
      offset,
      tzVersion,
      rule: ruleInWords(schedule),
      why: `On ${date} the clocks in ${timezone} are at UTC${offset} (IANA ${tzVersion}), so ${local.slice(11, 16)} there is ${formatInstant(targetAt).slice(11, 16)} UTC.${quiet ? ` ${quiet}` : ''}`,
    },
    notes: [...notesOf(story, today, table), ...contradictionsOf(event, { occasion, task, user }, table)],
  }
}

/** Where the person and the occasion of today differ from those that the event was planned for. */
function contradictionsOf(event: Event, schedule: Schedule, table: TimezoneTable) {
  const { occasion, user } = schedule
  const found: { code: string; text: string }[] = []
  if (user.timezone !== event.timezone) {
    const there = byTodaysRule(event, schedule, table)?.local ?? 'no occurrence'
    const text = `It was planned for ${event.timezone}, and the person is in ${user.timezone} now: by that timezone it would be ${there}.`
    found.push({ code: 'TIMEZONE_DIFFERS', text })
  }
  if (occasion.pausedAt !== null && event.status === 'PENDING')
    found.push({ code: 'PAUSED', text: 'Its occasion is paused, and the event is still planned.' })
  return found
}

/**
 * True if the occasion was created on its day, after its time, with the request to send at once, or if a change put its day of sending
 * into the past. Only such an event is stored after the instant at which it is due: every other one is planned for the future.
 */
function isAtOnce({ event, original, moves }: WholeStory): boolean {
  const last = moves.at(-1)
  if (last !== undefined) return last.at === event.targetAt
  if (original === null) return false
  return original.createdAt >= original.targetAt && !original.occurrence.startsWith('due-')
}

const AT_ONCE = {
  code: 'SENT_AT_ONCE',
  text: 'It was due at once: the occasion was created on its day of sending, after its local time, with sendTodayNow, or a change put that day into the past.',
}

function notesOf(story: WholeStory, today: Today | null, table: TimezoneTable) {
  const { event } = story
  if (isAtOnce(story)) return [AT_ONCE]
  return today?.instant === event.targetAt ? today.notes : [changedSince(event, today?.local ?? null, table)]
}

type Today = { instant: number; local: string; notes: { code: string; text: string }[] }

/** When the occurrence falls by the current rule; null if the current rule has no such occurrence. */
function byTodaysRule(event: Event, schedule: Schedule, table: TimezoneTable): Today | null {
  const { occasion, user } = schedule
  const name = originalOf(event.occurrence)
  if (/^\d{4}$/.test(name) && isGregorianYearly(occasion)) {
    const rule = ruleOf(occasion, user)
    if (rule === null || !findInYear(rule, Number(name), table)) return null
    return explainOccurrence(rule, Number(name), table)
  }
  if (schedule.task !== null) return explainReminder(event)
  const active = { ...schedule, occasion: { ...occasion, pausedAt: null } }
  const slot = recurring.named(active, event.occurrence, table)
  if (slot === null) return null
  const { instant, offsetSeconds } = slot
  return { instant, local: formatLocal(instant, offsetSeconds), notes: slotNotes(slot, occasion) }
}

/** A reminder depends on the due time that its task had when it was planned, so nothing is computed again. */
function explainReminder({ targetAt, offsetSeconds }: Event): Today {
  return { instant: targetAt, local: formatLocal(targetAt, offsetSeconds), notes: [] }
}

function changedSince({ tzVersion }: Event, today: string | null, table: TimezoneTable) {
  const rules = `the timezone rules (IANA ${tzVersion} then, ${table.version} now)`
  const what =
    tzVersion === table.version ? 'the date or the time of day' : `the date, the time of day or ${rules}`
  const text = `It was planned under the rules at the time. Since then ${what} has changed: by today's rule it would be ${today ?? 'no occurrence'}.`
  return { code: 'CHANGED_SINCE', text }
}
