// The people of a run: they come, move, correct their dates, change their names and go, all around the instant they are
// due. What the API acknowledged is remembered here; the database is never asked.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../../simulation/support/dice.ts'
import type { Answer, Office } from './api-process.ts'
import { PLACES } from './expected-instant.ts'
import { type Facts, type LifeEvent, latePlaces, type Newcomer } from './user-script.ts'

/** Between `sentAt` and `answeredAt` it happened. */
export type Moment = { sentAt: number; answeredAt: number }
export type Change = Moment & { kind: 'rename' | 'move' | 'correct'; after: Facts }

export type Person = {
  id: string
  /** The time of day at which they are greeted. */
  localTime: string
  atFirst: Facts
  changes: Change[]
  deleted: Moment | null
}

export type Town = {
  people: Person[]
  /** Takes people in, and lets happen to them what was planned. `name` tells one crowd from another. */
  welcome(crowd: readonly Newcomer[], name: string, dice: Dice): void
  /** Resolves when all that was asked for is answered. */
  quiet(): Promise<void>
  asked(): { changes: number; deletions: number }
  /** Answers that nobody should have got. */
  surprises: string[]
}

type Created = { user: { id: string }; nextBirthdayEvent: { targetTimestampLocal: string } }

/** The others come in one request together. */
const ONE_BY_ONE = 0.2
const TOGETHER_AT_MOST = 200

export function createTown(office: Office): Town {
  const people: Person[] = []
  const underWay = new Set<Promise<unknown>>()
  const asked = { changes: 0, deletions: 0 }
  const surprises: string[] = []

  function track(work: Promise<void>): void {
    const tracked: Promise<unknown> = work
      .catch((error: Error) => surprises.push(error.message))
      .then(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  async function create(newcomer: Newcomer, key: string, dice: Dice): Promise<void> {
    const request = { method: 'POST', path: '/user', body: newcomer.facts }
    const answer = await office.ask({ ...request, headers: { 'idempotency-key': key } })
    expectStatus(answer, 201)
    settle(newcomer, answer.body as Created, dice)
  }

  async function createTogether(crowd: readonly Newcomer[], key: string, dice: Dice): Promise<void> {
    const request = { method: 'POST', path: '/user/bulk', body: { users: crowd.map(({ facts }) => facts) } }
    const answer = await office.ask({ ...request, headers: { 'idempotency-key': key } })
    expectStatus(answer, 200)
    const { results } = answer.body as { results: Created[] }
    for (const [i, newcomer] of crowd.entries()) settle(newcomer, results[i]!, dice.fork())
  }

  function settle({ facts, life }: Newcomer, { user, nextBirthdayEvent }: Created, dice: Dice): void {
    const localTime = nextBirthdayEvent.targetTimestampLocal.slice(11, 19)
    const person: Person = { id: user.id, localTime, atFirst: facts, changes: [], deleted: null }
    people.push(person)
    track(live(person, life, dice))
  }

  async function live(person: Person, life: readonly LifeEvent[], dice: Dice): Promise<void> {
    for (const { at, kind } of life) {
      await sleep(Math.max(0, at - Date.now()))
      if (kind === 'delete') await remove(person)
      else await change(person, kind, dice)
    }
  }

  async function change(
    person: Person,
    kind: Exclude<LifeEvent['kind'], 'delete'>,
    dice: Dice,
  ): Promise<void> {
    const edit = editOf(person, kind, dice)
    const answer = await office.ask({ method: 'PUT', path: `/user/${person.id}`, body: edit })
    expectStatus(answer, 200)
    asked.changes += 1
    const { sentAt, answeredAt } = answer
    const after = { ...factsNow(person), ...edit }
    person.changes.push({ kind: kind === 'late-move' ? 'move' : kind, sentAt, answeredAt, after })
  }

  async function remove(person: Person): Promise<void> {
    const answer = await office.ask({ method: 'DELETE', path: `/user/${person.id}` })
    // 404: an earlier try did it, and its answer was lost.
    expectStatus(answer, 204, 404)
    asked.deletions += 1
    person.deleted = { sentAt: answer.sentAt, answeredAt: answer.answeredAt }
  }

  return {
    people,
    welcome: (crowd, name, dice) => {
      const alone = Math.ceil(crowd.length * ONE_BY_ONE)
      for (let from = alone; from < crowd.length; from += TOGETHER_AT_MOST)
        track(createTogether(crowd.slice(from, from + TOGETHER_AT_MOST), `${name}-from-${from}`, dice.fork()))
      for (const [i, newcomer] of crowd.slice(0, alone).entries())
        track(create(newcomer, `${name}-${i}`, dice.fork()))
    },
    quiet: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    asked: () => ({ ...asked }),
    surprises,
  }
}

function editOf(person: Person, kind: Exclude<LifeEvent['kind'], 'delete'>, dice: Dice): Partial<Facts> {
  const facts = factsNow(person)
  const date = (days: number) => new Date(Date.parse(facts.dateOfBirth) + days * 86_400_000).toISOString()
  switch (kind) {
    case 'rename':
      return { firstName: dice.pick(['Grace', 'Renée', '李']) }
    case 'move':
      return { timezone: dice.pick(PLACES) }
    case 'late-move': {
      const places = latePlaces(facts, person.localTime, Date.now())
      return { timezone: dice.pick(places.length > 0 ? places : PLACES) }
    }
    case 'correct':
      return { dateOfBirth: dice.pick([date(1).slice(0, 10), date(-1).slice(0, 10), '1996-02-29']) }
  }
}

export function factsNow({ atFirst, changes }: Person): Facts {
  return changes.at(-1)?.after ?? atFirst
}

function expectStatus(answer: Answer, ...expected: number[]): void {
  if (!expected.includes(answer.status))
    throw new Error(
      `The API answered ${answer.status}, not ${expected.join(' or ')}: ${JSON.stringify(answer.body)}`,
    )
}
