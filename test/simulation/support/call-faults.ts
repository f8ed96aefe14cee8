// Faults of calls to the store, the queue and the receiver. The first call that matches uses a fault up.
import type { CallFault, HandlerFault, Scenario, Stage, Who } from '../scenario.ts'

export type CallFaults = { take(call: { who: Who; op: string; stage: Stage; now: number }): CallFault | null }

export function createCallFaults({
  faults,
  faultsEndAt,
}: Pick<Scenario, 'faults' | 'faultsEndAt'>): CallFaults {
  const waiting = faults.flatMap((fault) => ('op' in fault ? [{ fault, left: uses(fault) }] : []))
  return {
    take({ who, op, stage, now }) {
      if (now >= faultsEndAt) return null
      const waitingFault = waiting.find(({ fault, left }) => left > 0 && fits(fault, who, op, stage, now))
      if (waitingFault === undefined) return null
      waitingFault.left -= 1
      return waitingFault.fault
    },
  }
}

export type HandlerFaults = {
  /** The fault that the next handler meets, or null. */
  take(now: number): HandlerFault | null
}

export function createHandlerFaults({
  faults,
  faultsEndAt,
}: Pick<Scenario, 'faults' | 'faultsEndAt'>): HandlerFaults {
  const waiting = faults.flatMap((fault) => (fault.kind === 'handler' ? [{ fault, left: fault.times }] : []))
  return {
    take(now) {
      const met = waiting.find(({ fault, left }) => left > 0 && now >= fault.at && now < faultsEndAt)
      if (met === undefined) return null
      met.left -= 1
      return met.fault
    },
  }
}

function uses(fault: CallFault): number {
  return fault.kind === 'failure' ? fault.times : 1
}

function fits(fault: CallFault, who: Who, op: string, stage: Stage, now: number): boolean {
  // A send fails by the replies of the receiver, not by this.
  if (fault.kind === 'failure' && op === 'send') return false
  return (
    fault.at <= now && fault.who === who && fault.stage === stage && (fault.op === op || fault.op === 'any')
  )
}
