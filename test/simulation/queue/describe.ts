// The queue in plain lines: how it is set, what goes wrong with it, and what happened there.

import type { QueueEntry, Ref } from '../record/trace.ts'
import type { Fate, Fault, QueuePlan } from '../scenario.ts'

export function describeQueue(plan: QueuePlan): string[] {
  const { skewMs, phaseMs, runMs, consumeMs, unansweredMs, diedMs, maxReceives, inOrder } = plan
  return [
    `a queue between the scheduler and the workers, ${inOrder ? 'in order' : 'in any order'}`,
    `the scheduler is called ${phaseMs} ms after each full minute, for ${runMs} ms, its clock ${skewMs} ms ahead`,
    `a worker has ${consumeMs} ms for a batch; unanswered it comes again after ${unansweredMs} ms, ` +
      `after a death ${diedMs} ms, and ${maxReceives} times at most`,
  ]
}

type QueueFault = Extract<Fault, { kind: 'message' | 'no runs' | 'extra run' }>

export function describeQueueFault(fault: QueueFault): string {
  switch (fault.kind) {
    case 'message':
      return `the next messages, ${fault.times} of them: ${describeFate(fault.fate)}`
    case 'no runs':
      return `the scheduler is not called for ${fault.forMs} ms`
    case 'extra run':
      return 'the scheduler is called once more'
  }
}

function describeFate(fate: Fate): string {
  switch (fate.kind) {
    case 'doubled':
      return `doubled, the second after ${fate.afterMs} ms`
    case 'late':
      return `late by ${fate.byMs} ms`
    case 'deadly':
      return `deadly for ${fate.deaths} that begin to send it`
    case 'unacked':
      return 'the first acknowledgement gets lost'
    case 'refused':
    case 'lost':
      return fate.kind
  }
}

export function describeQueueEntry(entry: QueueEntry): string {
  switch (entry.kind) {
    case 'posted':
      return `the message of ${refs([entry.ref])}: ${entry.fate}`
    case 'handed': {
      const which = entry.dead ? 'the dead letters' : 'the messages'
      return `${entry.who} gets ${which} ${refs(entry.messages)}, ${counts(entry.messages)}`
    }
    case 'reread':
      return `${entry.who} reads ${refs(entry.refs)}`
    case 'answered':
      return `${entry.who} is done with ${refs(entry.acked) || 'none'}, wants again ${refs(entry.again) || 'none'}`
    case 'killed':
      return `${entry.who} is ended by ${entry.eventId}`
  }
}

function counts(messages: readonly { receives: number }[]): string {
  return `for the time ${messages.map(({ receives }) => receives).join(', ')}`
}

export function refs(list: readonly Ref[]): string {
  return list.map(({ eventId, version }) => `${eventId}@${version}`).join(', ')
}
