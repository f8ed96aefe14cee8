// Describes the queue in plain lines: its settings, its faults and its trace entries.

import type { QueueEntry, Ref } from '../record/trace.ts'
import type { Fault, MessageEffect, QueuePlan } from '../scenario.ts'

export function describeQueue(plan: QueuePlan): string[] {
  const { skewMs, phaseMs, runMs, consumeMs, unansweredMs, diedMs, maxReceives, inOrder } = plan
  return [
    `a queue between the scheduler and the workers, ${inOrder ? 'in order' : 'in any order'}`,
    `the scheduler is called ${phaseMs} ms after each full minute, for ${runMs} ms, its clock ${skewMs} ms ahead`,
    `a worker has ${consumeMs} ms for a batch; redelivery after ${unansweredMs} ms without a response, ` +
      `${diedMs} ms after a crash, ${maxReceives} deliveries at most`,
  ]
}

type QueueFault = Extract<Fault, { kind: 'message' | 'no runs' | 'extra run' }>

export function describeQueueFault(fault: QueueFault): string {
  switch (fault.kind) {
    case 'message':
      return `the next messages, ${fault.times} of them: ${describeEffect(fault.effect)}`
    case 'no runs':
      return `the scheduler is not called for ${fault.forMs} ms`
    case 'extra run':
      return 'the scheduler is called once more'
  }
}

function describeEffect(effect: MessageEffect): string {
  switch (effect.kind) {
    case 'duplicated':
      return `duplicated, the second after ${effect.afterMs} ms`
    case 'delayed':
      return `late by ${effect.byMs} ms`
    case 'poison':
      return `poison for the first ${effect.crashes} consumers`
    case 'unacked':
      return 'the first acknowledgement is lost'
    case 'rejected':
    case 'lost':
      return effect.kind
  }
}

export function describeQueueEntry(entry: QueueEntry): string {
  switch (entry.kind) {
    case 'queued':
      return `the message of ${refs([entry.ref])}: ${entry.effect}`
    case 'received': {
      const which = entry.dead ? 'the dead messages' : 'the messages'
      return `${entry.who} receives ${which} ${refs(entry.messages)}, ${counts(entry.messages)}`
    }
    case 'reread':
      return `${entry.who} reads ${refs(entry.refs)}`
    case 'acknowledged':
      return `${entry.who} acknowledges ${refs(entry.acked) || 'none'}, retries ${refs(entry.again) || 'none'}`
    case 'killed':
      return `${entry.who} is crashed by ${entry.eventId}`
  }
}

function counts(messages: readonly { receives: number }[]): string {
  return `delivery ${messages.map(({ receives }) => receives).join(', ')}`
}

export function refs(list: readonly Ref[]): string {
  return list.map(({ eventId, version }) => `${eventId}@${version}`).join(', ')
}
