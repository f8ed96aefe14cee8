// Chooses the faults of a scenario.
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type {
  ChannelPlan,
  Fault,
  QueuePlan,
  ReceiverFault,
  Reply,
  Stage,
  Who,
  WorkerPlan,
} from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'
import { CONSUMER_OPS, CRON_OPS, chooseQueueFault } from './queue.ts'
import { chooseWorker } from './workers.ts'

const WORKER_OPS = [
  ...['claimDue', 'claimDue', 'settle', 'settle', 'send', 'send', 'send', 'nextWakeAt', 'any', 'any'],
  ...['readClaims', 'extendLeases', 'confirmClaims', 'listChannels', 'listTemplates', 'setChannelStatus'],
]
const API_OPS = [
  'createUsers',
  'readPerson',
  'updateUser',
  'deleteUser',
  'saveChannel',
  'saveTemplate',
  'saveOccasion',
  'removeOccasion',
  'findOccasion',
  'any',
]

/** Calls of a process that starts with another timezone table. */
const REPLAN_OPS = ['replan', 'replan', 'listOpenPlans', 'listZones', 'saveZones']

type Setting = {
  workers: readonly WorkerPlan[]
  channels: readonly ChannelPlan[]
  dueTimes: readonly number[]
  queue: QueuePlan | null
  upgrading: boolean
}

export function chooseFaults(dice: Dice, setting: Setting): Fault[] {
  const roll = dice.roll()
  if (roll < 0.12) return []
  // With faults of receivers and messages only, the workers must deliver on time.
  const outside = roll < (setting.queue === null ? 0.3 : 0.6)
  const choose = outside ? chooseOutside : chooseFault
  const length = dice.between(1, outside ? 12 : 32)
  return Array.from({ length }, () => choose(dice, setting, dice.pick(setting.dueTimes)))
}

function chooseOutside(dice: Dice, setting: Setting, dueAt: number): Fault {
  if (setting.queue !== null && dice.chance(0.6)) return chooseQueueFault(dice, setting.dueTimes)
  return chooseReceiverFault(dice, setting, dueAt)
}

function chooseFault(dice: Dice, setting: Setting, dueAt: number): Fault {
  const workers = setting.workers.length
  if (setting.queue !== null && dice.chance(0.4)) return chooseQueueFault(dice, setting.dueTimes)
  const roll = dice.roll()
  if (roll < 0.33) return chooseReceiverFault(dice, setting, dueAt)
  const at = nearDue(dice, dueAt)
  if (roll < 0.4)
    return { kind: 'stop', at, who: dice.between(0, workers - 1), downMs: dice.between(0, 600) * SECOND }
  if (roll < 0.43) return { kind: 'clock', at, who: dice.between(0, workers - 1), ...chooseWorker(dice) }
  if (roll < 0.47) return { kind: 'outage', at, forMs: chooseOutage(dice) }
  const who = chooseWho(dice, setting)
  const stage: Stage = dice.chance(0.5) ? 'before' : 'after'
  const call = { at, who, op: dice.pick(opsOf(who, setting)), stage }
  if (roll < 0.63) return { ...call, kind: 'crash', downMs: dice.pick([0, SECOND, MINUTE, HOUR]) }
  if (roll < 0.86) return { ...call, kind: 'pause', forMs: choosePause(dice, setting) }
  return { ...call, kind: 'failure', times: dice.between(1, 12) }
}

function chooseWho(dice: Dice, { workers, queue }: Setting): Who {
  if (dice.chance(0.15)) return 'api'
  if (queue !== null && dice.chance(0.4)) return 'cron'
  return dice.between(0, workers.length - 1)
}

function opsOf(who: Who, { queue, upgrading }: Setting): readonly string[] {
  if (who === 'cron') return CRON_OPS
  const ops = who === 'api' ? API_OPS : queue === null ? WORKER_OPS : CONSUMER_OPS
  return upgrading ? [...ops, ...REPLAN_OPS] : ops
}

/** Sometimes longer than the lease. */
function choosePause(dice: Dice, { queue }: Setting): number {
  return queue !== null && dice.chance(0.3) ? dice.between(7, 40) * MINUTE : dice.between(1, 400) * SECOND
}

function chooseOutage(dice: Dice): number {
  return dice.chance(0.2) ? dice.between(300, 900) * DAY : dice.between(1, 100) * HOUR
}

function chooseReceiverFault(dice: Dice, { channels, queue }: Setting, dueAt: number): ReceiverFault {
  const channel = dice.between(0, channels.length - 1)
  const { kind } = channels[channel]!
  if (dice.chance(0.15)) {
    const at = dueAt - dice.between(0, 60) * SECOND
    return { kind: 'down', at, channel, forMs: dice.between(4, 12) * MINUTE, reply: chooseDown(dice, kind) }
  }
  const at = nearDue(dice, dueAt)
  // More slow replies: the time of a consumer is short.
  const reply = queue !== null && dice.chance(0.2) ? chooseSlow(dice) : chooseReply(dice, kind)
  return { kind: 'reply', at, channel, times: dice.between(1, 6), reply }
}

function chooseDown(dice: Dice, kind: ChannelPlan['kind']): Reply {
  const roll = dice.roll()
  if (roll < 0.4) return { kind: 'status', status: kind === 'webhook' ? dice.pick([500, 503]) : 421 }
  return roll < 0.6 ? { kind: 'timeout', accepted: false } : { kind: 'reset', accepted: false }
}

function chooseReply(dice: Dice, kind: ChannelPlan['kind']): Reply {
  const roll = dice.roll()
  if (roll < 0.6) return kind === 'webhook' ? chooseStatus(dice) : chooseMailStatus(dice)
  if (roll < 0.73) return { kind: 'timeout', accepted: dice.chance(0.5) }
  if (roll < 0.86) return { kind: 'reset', accepted: dice.chance(0.5) }
  return chooseSlow(dice)
}

function chooseSlow(dice: Dice): Reply {
  return { kind: 'slow', ms: dice.between(1, 150) * SECOND }
}

function chooseStatus(dice: Dice): Reply {
  const roll = dice.roll()
  if (roll < 0.42) return { kind: 'status', status: dice.pick([500, 502, 503, 408, 425]) }
  if (roll < 0.57) return { kind: 'status', status: 429, retryAfterSeconds: dice.between(0, 1800) }
  if (roll < 0.75) return { kind: 'status', status: dice.pick([400, 404, 404, 301]) }
  if (roll < 0.9) return { kind: 'status', status: dice.pick([401, 403]) }
  return { kind: 'status', status: 410 }
}

/** A mail server rejects the login, the mailbox, the mail, or temporarily everything. */
function chooseMailStatus(dice: Dice): Reply {
  return {
    kind: 'status',
    ...dice.pick([
      { status: 535, to: 'AUTH' },
      { status: 550, to: 'RCPT TO' },
      { status: 450, to: 'RCPT TO' },
      { status: 554, to: 'DATA' },
      { status: 451, to: 'DATA' },
      { status: 421, to: 'EHLO' },
    ]),
  }
}
