// The people of a run: created, moved, corrected, renamed and deleted over HTTP around their due times. Records what the API
// acknowledged; never reads the database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../../simulation/support/dice.ts'
import type { Api, ApiResponse } from './api-process.ts'
import { PLACES } from './places.ts'
import { type Facts, latePlaces, type NewPerson, type ScriptedEdit } from './user-script.ts'

/** The change took effect between `sentAt` and `respondedAt`. */
export type Moment = { sentAt: number; respondedAt: number }
export type Change = Moment & { kind: 'rename' | 'move' | 'correct'; after: Facts }

export type Person = {
  id: string
  /** The local time of their message. */
  localTime: string
  atFirst: Facts
  changes: Change[]
  deleted: Moment | null
}

export type Population = {
  people: Person[]
  /** Creates people and runs their scripts. `name` is unique for each wave. */
  create(wave: readonly NewPerson[], name: string, dice: Dice): void
  /** Resolves when every request has its response. */
  settled(): Promise<void>
  asked(): { changes: number; deletions: number }
  /** Unexpected responses. */
  unexpected: string[]
}

type Created = { user: { id: string }; nextBirthdayEvent: { targetTimestampLocal: string } }

/** The share that is created at once; the others follow, twenty at a time. */
const ONE_BY_ONE = 0.2
const TOGETHER_AT_MOST = 200

export function createPopulation(api: Api): Population {
  const people: Person[] = []
  const pending = new Set<Promise<unknown>>()
  const asked = { changes: 0, deletions: 0 }
  const unexpected: string[] = []

  function track(work: Promise<void>): void {
    const tracked: Promise<unknown> = work
      .catch((error: Error) => unexpected.push(error.message))
      .then(() => pending.delete(tracked))
    pending.add(tracked)
  }

  async function create(newPerson: NewPerson, key: string, dice: Dice): Promise<void> {
    const request = { method: 'POST', path: '/user', body: newPerson.facts }
    const response = await api.ask({ ...request, headers: { 'idempotency-key': key } })
    // 200: an earlier try created the person, and its response was lost.
    expectStatus(response, 200, 201)
    add(newPerson, response.body as Created, dice)
  }

  async function createTogether(wave: readonly NewPerson[], key: string, dice: Dice): Promise<void> {
    for (let from = 0; from < wave.length; from += 20)
      await Promise.all(
        wave.slice(from, from + 20).map((one, i) => create(one, `${key}-${from + i}`, dice.fork())),
      )
  }

  function add({ facts, edits }: NewPerson, { user, nextBirthdayEvent }: Created, dice: Dice): void {
    const localTime = nextBirthdayEvent.targetTimestampLocal.slice(11, 19)
    const person: Person = { id: user.id, localTime, atFirst: facts, changes: [], deleted: null }
    people.push(person)
    track(runScript(person, edits, dice))
  }

  async function runScript(person: Person, edits: readonly ScriptedEdit[], dice: Dice): Promise<void> {
    for (const { at, kind } of edits) {
      await sleep(Math.max(0, at - Date.now()))
      if (kind === 'delete') await remove(person)
      else await change(person, kind, dice)
    }
  }

  async function change(
    person: Person,
    kind: Exclude<ScriptedEdit['kind'], 'delete'>,
    dice: Dice,
  ): Promise<void> {
    const edit = editOf(person, kind, dice)
    const response = await api.ask({ method: 'PUT', path: `/user/${person.id}`, body: edit })
    expectStatus(response, 200)
    asked.changes += 1
    const { sentAt, respondedAt } = response
    const after = { ...factsNow(person), ...edit }
    person.changes.push({ kind: kind === 'late-move' ? 'move' : kind, sentAt, respondedAt, after })
  }

  async function remove(person: Person): Promise<void> {
    const response = await api.ask({ method: 'DELETE', path: `/user/${person.id}` })
    // 404: an earlier try deleted the person, and its response was lost.
    expectStatus(response, 204, 404)
    asked.deletions += 1
    person.deleted = { sentAt: response.sentAt, respondedAt: response.respondedAt }
  }

  return {
    people,
    create: (wave, name, dice) => {
      const alone = Math.ceil(wave.length * ONE_BY_ONE)
      for (let from = alone; from < wave.length; from += TOGETHER_AT_MOST)
        track(createTogether(wave.slice(from, from + TOGETHER_AT_MOST), `${name}-from-${from}`, dice.fork()))
      for (const [i, newPerson] of wave.slice(0, alone).entries())
        track(create(newPerson, `${name}-${i}`, dice.fork()))
    },
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending)
    },
    asked: () => ({ ...asked }),
    unexpected,
  }
}

function editOf(person: Person, kind: Exclude<ScriptedEdit['kind'], 'delete'>, dice: Dice): Partial<Facts> {
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

function expectStatus(response: ApiResponse, ...expected: number[]): void {
  if (!expected.includes(response.status))
    throw new Error(
      `The API answered ${response.status}, not ${expected.join(' or ')}: ${JSON.stringify(response.body)}`,
    )
}
