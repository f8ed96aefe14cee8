// Callers who add, change, pause and remove occasions.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import {
  changeOccasion,
  createOccasion,
  pauseOccasion,
  removeOccasion,
  resumeOccasion,
} from '../../../src/app/occasions/occasions.ts'
import type { OccasionInput } from '../../../src/domain/occasions/occasion-fields.ts'
import { templateText } from '../oracle/expected-text.ts'
import type { Edit, OccasionPlan } from '../scenario.ts'
import { channelId } from './channels.ts'

export type OccasionEdit = Extract<Edit, { occasion: number | null }>

export function createOccasionCallers(): {
  carryOut(app: AppDeps, userId: string, edit: OccasionEdit): Promise<string>
} {
  /** The occasions that callers know of. A caller without a response repeats its request, and the second occasion counts. */
  const known = new Map<string, string>()

  async function carryOut(app: AppDeps, userId: string, edit: OccasionEdit): Promise<string> {
    const name = `${edit.person} ${edit.occasion}`
    if (edit.kind === 'add occasion') {
      const input = { ...inputOf(edit.plan), type: edit.plan.type }
      const made = await createOccasion(app, userId, input, { dryRun: false, sendTodayNow: false })
      if (made.kind === 'saved') known.set(name, made.occasion.id)
      return made.kind
    }
    const id = edit.occasion === null ? await birthdayOf(app, userId) : known.get(name)
    if (id === undefined) return 'unknown'
    switch (edit.kind) {
      case 'change occasion':
        return (await changeOccasion(app, id, inputOf(edit.change), { dryRun: false, ifVersion: null })).kind
      case 'pause occasion':
        return (await pauseOccasion(app, id)).kind
      case 'resume occasion':
        return (await resumeOccasion(app, id)).kind
      case 'remove occasion': {
        const removed = await removeOccasion(app, id)
        return typeof removed === 'string' ? removed : removed.kind
      }
    }
  }

  return { carryOut }
}

export async function birthdayOf({ store }: AppDeps, userId: string): Promise<string | undefined> {
  const person = await store.readPerson(userId)
  return person?.plans.find(({ occasion }) => occasion.type === 'BIRTHDAY')?.occasion.id
}

function inputOf({ template, channel, ...plain }: Partial<OccasionPlan>): Omit<OccasionInput, 'type'> {
  return {
    ...plain,
    ...(channel === undefined ? {} : { channel: idOf(channel) }),
    ...(template === undefined ? {} : { template: template && templateText(template) }),
  }
}

export function idOf(channel: number | null): string | null {
  return channel === null ? null : channelId(channel)
}
