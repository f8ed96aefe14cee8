// Counts what happened in a run.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { channelNumber } from '../actors/channels.ts'
import type { Run } from '../run.ts'

export type Tally = {
  seeds: number
  personYears: number
  events: number
  replays: number
  arrivals: number
  /** Arrivals that the receiver had already accepted: it recognises them by their key. */
  repeats: number
  /** Of them by e-mail. */
  mails: number
  /** Of them for another occasion than a birthday. */
  others: number
  /** Of them to remind of a task. */
  reminders: number
  /** Of them with a belated text. */
  belated: number
  completed: number
  failed: number
  /** Of them without an address, or without a text that can be rendered. */
  unsendable: number
  /** Of them after their cut-off. */
  cutOff: number
  /** Of them past the lateness limit of their kind. */
  missed: number
  /** Of them because their channel was disabled. */
  /** Attempts that used no retry: the channel was down or rejected our credentials. */
  released: number
  /** Channels that stopped. */
  stoppedChannels: number
  /** Templates that were saved or removed. */
  texts: number
  crashes: number
  pauses: number
  stops: number
  /** Calls that a fault made fail. */
  failures: number
  /** Settlements of workers that had lost their claims. */
  stale: number
  edits: number
  /** Messages delivered to consumers of a queue, and of them redelivered. */
  messages: number
  redelivered: number
  /** Messages that the queue rejected, lost, duplicated or delayed, or whose acknowledgement it lost. */
  disturbed: number
  deadLetters: number
  /** Events replanned by a newer timezone table. */
  replanned: number
  /** Occasions that were paused. */
  paused: number
  /** Handlers that resolved, and that failed. */
  handled: number
  unhandled: number
}

export const NOTHING: Tally = {
  seeds: 0,
  personYears: 0,
  events: 0,
  replays: 0,
  arrivals: 0,
  repeats: 0,
  mails: 0,
  others: 0,
  reminders: 0,
  belated: 0,
  completed: 0,
  failed: 0,
  unsendable: 0,
  cutOff: 0,
  missed: 0,
  released: 0,
  stoppedChannels: 0,
  texts: 0,
  crashes: 0,
  pauses: 0,
  stops: 0,
  failures: 0,
  stale: 0,
  edits: 0,
  messages: 0,
  redelivered: 0,
  disturbed: 0,
  deadLetters: 0,
  replanned: 0,
  paused: 0,
  handled: 0,
  unhandled: 0,
}

const DISTURBED: readonly string[] = ['rejected', 'lost', 'duplicated', 'delayed', 'ack lost']

const REASON_COUNTS: Readonly<Record<string, 'unsendable' | 'cutOff' | 'missed'>> = {
  NO_ADDRESS: 'unsendable',
  BAD_TEMPLATE: 'unsendable',
  TEMPLATE_LIMIT: 'unsendable',
  CUT_OFF: 'cutOff',
  MISSED_WINDOW: 'missed',
}

const YEAR_MS = 365.25 * 86_400_000

export function tally({ scenario, trace }: Run): Tally {
  const sum: Tally = { ...NOTHING, seeds: 1 }
  const accepted = new Set<string>()
  for (const entry of trace) {
    if (entry.kind === 'stale') sum.stale += entry.count
    if (entry.kind === 'failure') sum.failures += 1
    if (entry.kind === 'edit') sum.edits += 1
    if (entry.kind === 'lifecycle') {
      if (entry.what === 'crashes') sum.crashes += 1
      if (entry.what === 'pauses') sum.pauses += 1
      if (entry.what === 'has stopped') sum.stops += 1
    }
    if (entry.kind === 'arrival') {
      sum.arrivals += 1
      if (entry.channel === HANDLER_CHANNEL) sum[entry.accepted ? 'handled' : 'unhandled'] += 1
      else if (scenario.channels[channelNumber(entry.channel)]!.kind === 'smtp') sum.mails += 1
      if (!entry.body.includes('"type":"BIRTHDAY"')) sum.others += 1
      if (entry.body.includes('"type":"TASK_REMINDER"')) sum.reminders += 1
      if (entry.body.includes(' happy belated ')) sum.belated += 1
      if (accepted.has(entry.key)) sum.repeats += 1
      if (entry.accepted) accepted.add(entry.key)
    }
    if (entry.kind === 'received' && !entry.dead) {
      sum.messages += entry.messages.length
      sum.redelivered += entry.messages.filter(({ receives }) => receives > 1).length
    }
    if (entry.kind === 'queued') {
      if (DISTURBED.includes(entry.effect)) sum.disturbed += 1
      if (entry.effect === 'dead letter') sum.deadLetters += 1
    }
    if (entry.kind !== 'commit') continue
    for (const { table, before, after } of entry.rows) {
      const years = (scenario.until - entry.at) / YEAR_MS
      if (table === 'users' && before === null) sum.personYears += years
      if (table === 'users' && after === null) sum.personYears -= years
      if (table === 'attempts' && after?.outcome === 'RELEASED') sum.released += 1
      if (table === 'channels' && after?.status !== 'ACTIVE' && before?.status === 'ACTIVE')
        sum.stoppedChannels += 1
      if (table === 'templates') sum.texts += 1
      if (table === 'occasions' && after?.paused_at != null && before?.paused_at === null) sum.paused += 1
      if (table !== 'events') continue
      if (before === null) sum.events += 1
      if (entry.op === 'replan') sum.replanned += 1
      if (before === null && after?.replay_of) sum.replays += 1
      if (after?.status === 'COMPLETED') sum.completed += 1
      if (after?.status !== 'FAILED') continue
      sum.failed += 1
      const why = REASON_COUNTS[after.failure_code ?? '']
      if (why !== undefined) sum[why] += 1
    }
  }
  return sum
}

export function add(a: Tally, b: Tally): Tally {
  const sum = { ...a }
  for (const key of Object.keys(a) as (keyof Tally)[]) sum[key] += b[key]
  return sum
}
