// An operator's hold of channels, the built-in ones included: their messages wait until its end, or until it is released.
import type { FieldProblem } from '../../domain/errors.ts'
import { BUILT_IN, type ChannelRecord } from '../../domain/settings/channel.ts'
import { type NamedStatus, statusesOf } from '../../domain/settings/channel-status.ts'
import { isHeld } from '../../domain/settings/destination.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { type ChannelsDeps, type Rejected, setChannelStatus } from './channels.ts'

export type NewHold = {
  /** Null for a hold that ends when the channel is released. */
  until: number | null
  /** The name of the caller's key; null for a caller without one. */
  by: string | null
}

const LONGEST_MS = 366 * DAY_MS

/** Rejects a disabled channel: it would be switched on at the end of the hold. */
export async function holdChannel(
  deps: ChannelsDeps,
  id: string,
  wanted: NewHold,
): Promise<{ kind: 'saved'; status: NamedStatus } | Rejected> {
  const problem = problemOf(wanted, deps.clock.now())
  if (problem !== null) return { kind: 'invalid', problems: [problem] }
  const channel = await findChannel(deps, id)
  if (channel === null) return { kind: 'missing' }
  if (channel.status === 'DISABLED') return { kind: 'disabled' }
  await hold(deps, id, wanted)
  return statusNow(deps, id)
}

/** Ends the hold of an operator, and the one after a receiver rejected our credentials. */
export async function releaseChannel(
  deps: ChannelsDeps,
  id: string,
): Promise<{ kind: 'saved'; status: NamedStatus } | Rejected> {
  const channel = await findChannel(deps, id)
  if (channel === null) return { kind: 'missing' }
  if (channel.status !== 'ACTIVE') await setChannelStatus(deps, id, 'ACTIVE')
  await deps.store.releaseDestination(id, deps.clock.now())
  return statusNow(deps, id)
}

/** Holds every channel that is not disabled, and the built-in ones: a process with only the database cannot tell which are in use. */
export async function holdAll(
  deps: ChannelsDeps,
  wanted: NewHold,
): Promise<{ kind: 'saved'; statuses: NamedStatus[] } | Rejected> {
  const problem = problemOf(wanted, deps.clock.now())
  if (problem !== null) return { kind: 'invalid', problems: [problem] }
  const sending = (await readStatuses(deps)).filter(({ status }) => status !== 'DISABLED')
  for (const { id } of sending) await hold(deps, id, wanted)
  return { kind: 'saved', statuses: await readStatuses(deps) }
}

/**
 * Ends the holds of operators alone. A receiver that rejected our credentials would reject them again. Returns the channels that
 * send again.
 */
export async function releaseAll(deps: ChannelsDeps): Promise<NamedStatus[]> {
  const now = deps.clock.now()
  const released = new Set<string>()
  for (const state of await deps.store.listDestinations()) {
    if (!isHeld(state, now)) continue
    await deps.store.releaseDestination(state.channelId, now)
    released.add(state.channelId)
  }
  return (await readStatuses(deps)).filter(({ id, status }) => released.has(id) && status === 'ACTIVE')
}

async function hold(
  { store, clock }: ChannelsDeps,
  channelId: string,
  { until, by }: NewHold,
): Promise<void> {
  await store.holdDestination({ channelId, heldAt: clock.now(), heldUntil: until, heldBy: by })
}

function problemOf({ until }: NewHold, now: number): FieldProblem | null {
  if (until === null || (until > now && until <= now + LONGEST_MS)) return null
  const message =
    until <= now
      ? 'The end of the hold has passed. Give an instant in the future.'
      : 'The hold may last a year at most. Leave until out for one without an end.'
  return { field: 'until', code: 'INVALID_INSTANT', message }
}

async function findChannel(
  { store }: ChannelsDeps,
  id: string,
): Promise<Pick<ChannelRecord, 'status'> | null> {
  if (BUILT_IN.has(id)) return { status: 'ACTIVE' }
  return (await store.listChannels()).find((one) => one.id === id) ?? null
}

async function statusNow(
  deps: ChannelsDeps,
  id: string,
): Promise<{ kind: 'saved'; status: NamedStatus } | Rejected> {
  const status = (await readStatuses(deps)).find((one) => one.id === id)
  return status === undefined ? { kind: 'missing' } : { kind: 'saved', status }
}

async function readStatuses({ store, clock }: ChannelsDeps): Promise<NamedStatus[]> {
  const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
  return statusesOf({ channels, destinations }, clock.now())
}
