// Whether a channel sends now: its stored status, and the hold of an operator. The only place that derives it.
import {
  BUILT_IN,
  type ChannelRecord,
  type ChannelStatus,
  defaultChannel,
  HANDLER_CHANNEL,
  INBOX_CHANNEL,
} from './channel.ts'
import { type DestinationState, type Hold, isHeld } from './destination.ts'

/** `heldUntil` and `heldBy` are set while an operator's hold is the reason; null also for a hold without an end, or without a key. */
export type CurrentStatus = {
  status: ChannelStatus
  statusReason: string | null
  heldUntil: number | null
  heldBy: string | null
}

type Stored = Pick<ChannelRecord, 'status' | 'statusReason'>

/** The stored status of a built-in channel, which has no record. */
const ACTIVE: Stored = { status: 'ACTIVE', statusReason: null }

export function currentStatus(
  { status, statusReason }: Stored,
  state: Hold | undefined,
  now: number,
): CurrentStatus {
  if (status !== 'ACTIVE' || state === undefined || !isHeld(state, now))
    return { status, statusReason, heldUntil: null, heldBy: null }
  const { heldUntil, heldBy } = state
  return { status: 'HELD', statusReason: null, heldUntil, heldBy }
}

export type NamedStatus = CurrentStatus & { id: string; name: string }

export type StoppedChannel = NamedStatus & { status: Exclude<ChannelStatus, 'ACTIVE'> }

type All = { channels: readonly ChannelRecord[]; destinations: readonly DestinationState[] }

/** The status of every channel, the built-in ones included. */
export function statusesOf({ channels, destinations }: All, now: number): NamedStatus[] {
  const states = new Map(destinations.map((state) => [state.channelId, state]))
  const builtIn = [...BUILT_IN].map(([id, name]) => ({ id, name, ...ACTIVE }))
  return [...channels, ...builtIn].map((channel) => {
    const { id, name } = channel
    return { id, name, ...currentStatus(channel, states.get(id), now) }
  })
}

export function stoppedChannels(all: All, now: number): StoppedChannel[] {
  return statusesOf(all, now).filter((channel): channel is StoppedChannel => channel.status !== 'ACTIVE')
}

/** The channel of events that name none. Handlers precede the default channel. */
export function defaultChannelId(channels: readonly ChannelRecord[], hasHandlers = false): string {
  return hasHandlers ? HANDLER_CHANNEL : (defaultChannel(channels)?.id ?? INBOX_CHANNEL)
}
