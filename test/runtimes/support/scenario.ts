// A scenario that uses only the API and webhooks. Every runtime must produce the same observations.
import { setTimeout as sleep } from 'node:timers/promises'
import { daysBetween, plain } from './scenario-fixtures.ts'
import {
  create,
  createDue,
  createLater,
  expectStatus,
  type Home,
  read,
  type Stage,
  settled,
  witness,
} from './scenario-steps.ts'

export type Observations = Awaited<ReturnType<typeof playScenario>>

export async function playScenario(stage: Stage) {
  const { home, receiver } = stage
  const session = await home.request('GET', '/session')
  const places = await planInSeveralPlaces(stage)
  const moved = await moveToAnotherPlace(stage)
  const greeted = await greet(stage, 'Grace Hopper')
  const retried = await retry(stage)
  const { rejected, replayed, eventId } = await rejectAndReplay(stage)
  const weekly = await keepWeekly(stage)
  const reminded = await remindOfTask(stage)
  const timesRejected = await askForTheImpossible(stage)
  const { downtime, deleted } = await liveThroughDowntime(stage)
  const people = ['Hopper', 'Byron', 'Noether', 'Lamarr', 'Goodall', 'Curie', 'Meitner', 'Franklin']
  return {
    session: session.body,
    places: places.planned,
    moved,
    greeted,
    retried,
    rejected,
    replayed,
    weekly,
    reminded,
    timesRejected,
    downtime,
    deleted,
    explained: {
      pending: await explain(home, places.vancouverEventId),
      // The text contains the minute of the run.
      failed: JSON.parse(JSON.stringify(await explain(home, eventId)).replace(/\b\d\d:\d\d\b/g, 'hh:mm')),
    },
    events: await listAll(home),
    // Read last: a message that was sent once too often has arrived by now.
    posts: Object.fromEntries(people.map((name) => [name, receiver.postsAbout(name).length])),
  }
}

async function planInSeveralPlaces(stage: Stage) {
  const vancouver = await create(stage, 'Emily Carr', {
    dateOfBirth: '1971-12-13',
    timezone: 'america/vancouver',
  })
  const others = await Promise.all([
    createLater(stage, 'Raden Kartini', 'Asia/Jakarta'),
    createLater(stage, 'Pasang Lhamu', 'Asia/Kathmandu'),
    createLater(stage, 'Queen Salote', 'Pacific/Tongatapu'),
  ])
  const planned = [vancouver, ...others].map(({ user, nextBirthdayEvent: event }) => ({
    name: user.lastName,
    timezone: event.targetTimezone,
    utc: event.targetTimestampUTC.slice(10),
    local: event.targetTimestampLocal.slice(10),
    inDays: user.lastName === 'Carr' ? null : daysBetween(stage.day.today, onlyDate(event)),
    status: event.status,
  }))
  return { planned, vancouverEventId: vancouver.nextBirthdayEvent.id }
}

const onlyDate = (event: { targetTimestampLocal: string }) => event.targetTimestampLocal.slice(0, 10)

async function moveToAnotherPlace(stage: Stage) {
  const { user, nextBirthdayEvent: before } = await createLater(stage, 'Lise Meitner', 'Asia/Jakarta')
  const change = stage.home.request('PUT', `/user/${user.id}`, { timezone: 'Asia/Tokyo' })
  const { rescheduled, skipped, moves } = await expectStatus(200, change)
  const { items } = await read(stage.home, `/user/${user.id}/event`)
  const [after] = items
  return {
    rescheduled,
    skipped,
    moves: plain(moves),
    events: items.length,
    utc: [before, after].map(({ targetTimestampUTC }) => targetTimestampUTC.slice(10)),
    sameDay: onlyDate(before) === onlyDate(after),
    sameEvent: before.id === after.id,
    sameKey: before.idempotencyKey === after.idempotencyKey,
  }
}

async function greet(stage: Stage, name: string) {
  const { nextBirthdayEvent } = await createDue(stage, name)
  return witness(stage, nextBirthdayEvent.id, name)
}

function retry(stage: Stage) {
  stage.receiver.answer('Ada Byron', 500, 500)
  return greet(stage, 'Ada Byron')
}

async function rejectAndReplay(stage: Stage) {
  const { home, receiver } = stage
  const name = 'Emmy Noether'
  receiver.answer(name, 400)
  const { nextBirthdayEvent } = await createDue(stage, name)
  const eventId = nextBirthdayEvent.id
  const rejected = await witness(stage, eventId, name)
  const replay = await expectStatus(201, home.request('POST', `/event/${eventId}/replay`))
  const end = await witness(stage, replay.id, name)
  const again = await home.request('POST', `/event/${eventId}/replay`)
  const original = await read(home, `/event/${eventId}`)
  return {
    eventId,
    rejected,
    replayed: { ...end, original: plain(original), again: [again.status, again.body.code] },
  }
}

async function keepWeekly(stage: Stage) {
  const { home, day } = stage
  const { user } = await createLater(stage, 'Hedy Lamarr')
  const weekly = {
    type: 'WATERING',
    date: day.today,
    repeats: `FREQ=WEEKLY;BYDAY=${day.weekday}`,
    template: 'Water the plants, {{ fullName }}',
    sendTodayNow: true,
  }
  const occasion = await expectStatus(201, home.request('POST', `/user/${user.id}/occasion`, weekly))
  const { event, successor, ...seen } = await witness(stage, occasion.next.eventId, 'Hedy Lamarr')
  const { next } = await read(home, `/occasion/${occasion.id}`)
  return {
    ...seen,
    event,
    successor: { status: successor.status, daysLater: daysBetween(day.today, next.occurrence) },
  }
}

async function remindOfTask(stage: Stage) {
  const { home, day } = stage
  const { user } = await createLater(stage, 'Jane Goodall')
  const given = { userId: user.id, title: 'Feed the chimpanzees', dueAt: day.taskDueAt }
  const { id } = await expectStatus(201, home.request('POST', '/task', given))
  const { items } = await read(home, `/user/${user.id}/event?type=TASK_REMINDER`)
  const seen = await witness(stage, items[0].id, 'Jane Goodall')
  return { ...seen, reminders: items.length, task: plain(await read(home, `/task/${id}`)) }
}

async function askForTheImpossible({ home }: Stage) {
  const nobody = '00000000-0000-7000-8000-000000000000'
  const person = { firstName: '', lastName: 'X', dateOfBirth: '2023-02-29', timezone: 'PST', age: 3 }
  const answers = await Promise.all([
    home.request('POST', '/user', person),
    home.request('GET', `/user/${nobody}`),
    home.request('POST', `/event/${nobody}/replay`),
    home.request('GET', '/event?status=LATE&limit=0'),
    home.request('PATCH', '/user'),
  ])
  return answers.map(({ status, body }) => ({ status, body }))
}

/** If the home is stopped later than this before an event is due, the event may already be claimed. */
const MARGIN_MS = 250

/** Two events fall due while the home is down. One person was deleted before; the other's message states the delay. */
async function liveThroughDowntime(stage: Stage, leadMs = 1_500) {
  const { home, receiver } = stage
  const kept = await createLater(stage, 'Marie Curie')
  const gone = await createLater(stage, 'Rosalind Franklin')
  const dueAt = Math.ceil((Date.now() + leadMs) / 1000) * 1000
  const keptNext = await addOnce(stage, kept.user.id, dueAt)
  const goneNext = await addOnce(stage, gone.user.id, dueAt)
  const deleted = {
    deletion: (await home.request('DELETE', `/user/${gone.user.id}`)).status,
    user: (await home.request('GET', `/user/${gone.user.id}`)).body.code,
    event: (await home.request('GET', `/event/${goneNext?.eventId}`)).body.code,
    again: (await home.request('DELETE', `/user/${gone.user.id}`)).status,
  }
  if (keptNext === null || goneNext === null || Date.now() > dueAt - MARGIN_MS) {
    // The machine was too slow. This try leaves no observation.
    if (keptNext !== null) await settled(stage, keptNext.eventId)
    await home.request('DELETE', `/user/${kept.user.id}`)
    for (const name of ['Marie Curie', 'Rosalind Franklin']) receiver.forget(name)
    return liveThroughDowntime(stage, 2 * leadMs)
  }
  await home.stop()
  const before = receiver.postsAbout('Marie Curie').length
  await sleep(Math.max(0, dueAt + 1_500 - Date.now()))
  await home.start()
  const seen = await witness(stage, keptNext.eventId, 'Marie Curie')
  const [post] = receiver.postsAbout('Marie Curie')
  const lateBySeconds = Number(post?.message.lateBySeconds)
  // A second more: a home uses the clock of its database, which it measures with some error.
  const isLateBy = lateBySeconds >= 1 && lateBySeconds <= (post!.at - dueAt) / 1000 + 1
  return { downtime: { ...seen, before, isLateBy }, deleted }
}

async function addOnce({ home, day }: Stage, userId: string, dueAt: number) {
  const local = new Date(dueAt + day.offsetMs).toISOString()
  const once = {
    type: 'LAUNCH',
    date: local.slice(0, 10),
    localTime: local.slice(11, 19),
    repeats: 'ONCE',
    template: 'Lift-off, {{ fullName }}',
  }
  const { next } = await expectStatus(201, home.request('POST', `/user/${userId}/occasion`, once))
  return next as { eventId: string } | null
}

async function explain(home: Home, eventId: string) {
  return plain(await read(home, `/event/${eventId}/explain`))
}

/** All events, three at a time, in an order that does not depend on a clock. */
async function listAll(home: Home): Promise<unknown[]> {
  const items: unknown[] = []
  for (let cursor = ''; ; ) {
    const page = await read(home, `/event?limit=3${cursor && `&cursor=${cursor}`}`)
    items.push(...page.items)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  const texts = items.map((item) => JSON.stringify(plain(item))).sort()
  return texts.map((text) => JSON.parse(text))
}
