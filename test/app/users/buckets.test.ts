// All ids of a person share the bucket of the person, which follows from the external id.
import { afterEach, expect, it } from 'vitest'
import { replayEvent } from '../../../src/app/events/replay.ts'
import { createOccasion } from '../../../src/app/occasions/occasions.ts'
import { createTask } from '../../../src/app/occasions/tasks.ts'
import { createUsers, preparePerson } from '../../../src/app/users/create.ts'
import { importPeople } from '../../../src/app/users/import-people.ts'
import { bucketOf, bucketOfText } from '../../../src/domain/events/bucket.ts'
import { ADA, createWorld, type World } from '../../engine/support/world.ts'
import { GONE, MINUTE } from '../../support/fixtures.ts'

let world: World | undefined
afterEach(() => world?.close())

it('gives the user, occasions, tasks, events, successors and replays of a person one bucket', async () => {
  world = createWorld('2027-06-15T08:59:00Z')
  const { user, occasions } = await world.add({ externalId: 'crm-4711' })
  const { users } = world
  const how = { dryRun: false, sendTodayNow: true }
  const occasion = await createOccasion(
    users,
    user.id,
    { type: 'ANNIVERSARY', date: '2020-06-15', localTime: '08:00' },
    how,
  )
  const task = await createTask(users, user.id, { title: 'Call', dueAt: '2027-06-16T09:00:00Z' })
  if (occasion.kind !== 'saved' || task.kind !== 'saved') throw new Error('Not saved.')
  const [birthday] = (await world.store.readPerson(user.id))!.plans
  world.channel.script(birthday!.open!.id, GONE)
  const engine = world.start()
  await world.passTo(Date.parse('2027-06-15T09:00:00Z') + MINUTE)
  await engine.stop()
  const failed = (await world.events(user.id)).find(({ status }) => status === 'FAILED')!
  const replayed = await replayEvent({ ...users }, failed.id, { newKey: false })
  expect(replayed.kind).toBe('replayed')

  const events = await world.events(user.id)
  expect(events.length).toBeGreaterThan(4)
  const ids = [user.id, occasions[0]!.id, occasion.occasion.id, task.task.id, ...events.map(({ id }) => id)]
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(ids.map(bucketOf))).toEqual(new Set([bucketOfText('crm-4711')]))
})

it('gives an imported person without an external id the bucket of the external id that is derived', async () => {
  world = createWorld('2027-06-15T08:59:00Z')
  const rows = 'firstName,lastName,dateOfBirth,timezone\nAda,Lovelace,1990-12-15,Europe/London\n'
  await importPeople(world.users, pieces(rows), { dryRun: false })
  const { items } = await world.store.listUsers({ limit: 10, cursor: null })
  expect(items.map(({ id }) => bucketOf(id))).toEqual(
    items.map(({ externalId }) => bucketOfText(externalId!)),
  )
  expect(items).toHaveLength(1)
})

it('gives people without an external id the bucket of the request or, without one, different buckets', async () => {
  world = createWorld('2027-06-15T08:59:00Z')
  const drafts = Array.from({ length: 3 }, () => ({ input: ADA }))
  const result = await createUsers(world.users, drafts, undefined, { bucket: 'beef' })
  const people = result.kind === 'done' ? result.outcomes : []
  expect(people.map((one) => one.kind === 'created' && bucketOf(one.person.user.id))).toEqual(
    Array(3).fill('beef'),
  )
  const others = drafts.map(({ input }) => preparePerson(world!.users, input))
  expect(new Set(others.map((one) => one.ok && bucketOf(one.value.user.id))).size).toBe(3)
})

async function* pieces(text: string) {
  yield text
}
