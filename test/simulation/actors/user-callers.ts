// Callers of the API. A caller without a response repeats its request.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import { changeOccasion } from '../../../src/app/occasions/occasions.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { planDraft } from '../../../src/app/users/create.ts'
import { keyedId } from '../../../src/domain/events/uuid.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { BirthdayPlan, Edit } from '../scenario.ts'
import type { World } from '../support/world.ts'
import type { Api } from './api.ts'
import { birthdayOf, createOccasionCallers, idOf } from './occasion-callers.ts'
import { wasMadeToFail } from './process.ts'
import { createTaskCallers } from './task-callers.ts'

export type Callers = { make(edit: Edit): void }

const RESPONSE_TIMEOUT_MS = 30 * SECOND
const MAX_TRIES = 5

export function createCallers(world: World, api: Api): Callers {
  const { scheduler, note } = world
  /** The people that callers know of. */
  const known = new Map<number, string>()
  const occasions = createOccasionCallers()
  const tasks = createTaskCallers()

  /** One key for all tries, which names the person: only one try can create them, and none after they were deleted. */
  async function create(app: AppDeps, edit: Edit & { kind: 'create' }): Promise<string> {
    const { person, input, birthday, sendTodayNow = false } = edit
    const withCutOff = { ...app, notAfter: birthday.notAfter }
    const id = keyedId(`create person ${person}`, null)
    const prepared = planDraft(withCutOff, { input, sendTodayNow }, { id })
    if (!prepared.ok) return prepared.problems.map(({ code }) => code).join()
    known.set(person, id)
    const created = withChannel(prepared.value, birthday)
    const { kind } = await app.store.createUsers([created], { ifTaken: 'reject' })
    if (kind === 'created') app.onPlanned(Math.min(...created.events.map(({ targetAt }) => targetAt)))
    return kind
  }

  async function carryOut(app: AppDeps, edit: Edit): Promise<string> {
    if (edit.kind === 'create') return create(app, edit)
    const userId = known.get(edit.person)
    if (userId === undefined) return 'unknown'
    if (edit.kind === 'delete')
      return (await app.store.deleteUser(userId, app.clock.now())) ? 'deleted' : 'missing'
    if (edit.kind === 'redirect') return redirect(app, userId, edit.birthday)
    if ('task' in edit) return tasks.carryOut(app, userId, edit)
    if ('occasion' in edit) return occasions.carryOut(app, userId, edit)
    return (await changeUser(app, userId, { input: edit.input, ifVersion: null })).kind
  }

  async function redirect(app: AppDeps, userId: string, { channel, notAfter }: BirthdayPlan) {
    const birthday = await birthdayOf(app, userId)
    if (birthday === undefined) return 'missing'
    const change = { channel: idOf(channel), notAfter }
    const how = { dryRun: false, ifVersion: null }
    return (await changeOccasion(app, birthday, change, how)).kind
  }

  function make(edit: Edit, tries = 1): void {
    const { process, app } = api.current()
    const retry = scheduler.add({
      at: scheduler.now() + RESPONSE_TIMEOUT_MS,
      kind: 'script',
      owner: null,
      run: () => (tries < MAX_TRIES ? make(edit, tries + 1) : undefined),
    })
    const finish = (result: string) => {
      scheduler.remove(retry)
      note({ kind: 'edit', edit, result })
    }
    carryOut(app, edit).then(finish, (error) => {
      if (wasMadeToFail(error)) return
      finish('failed')
      note({ kind: 'unexpected', who: process.name, during: edit.kind, error: String(error) })
    })
  }

  return { make: (edit) => make(edit) }
}

/** The person with the channel of the birthday set. */
function withChannel(person: NewPerson, { channel }: BirthdayPlan): NewPerson {
  const channelId = idOf(channel)
  return { ...person, occasions: person.occasions.map((occasion) => ({ ...occasion, channelId })) }
}
