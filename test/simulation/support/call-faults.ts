// The faults that lie in wait for a call. Each is sprung by the first call that fits, and is used up by it.
import type { CallFault, Scenario, Stage, Who } from '../scenario.ts'

export type Traps = { spring(call: { who: Who; op: string; stage: Stage; now: number }): CallFault | null }

export function setTraps({ faults, calmAt }: Pick<Scenario, 'faults' | 'calmAt'>): Traps {
  const waiting = faults.flatMap((fault) => ('op' in fault ? [{ fault, left: uses(fault) }] : []))
  return {
    spring({ who, op, stage, now }) {
      if (now >= calmAt) return null
      const trap = waiting.find(({ fault, left }) => left > 0 && fits(fault, who, op, stage, now))
      if (trap === undefined) return null
      trap.left -= 1
      return trap.fault
    },
  }
}

function uses(fault: CallFault): number {
  return fault.kind === 'failure' ? fault.times : 1
}

function fits(fault: CallFault, who: Who, op: string, stage: Stage, now: number): boolean {
  // A message has its own ways of failing: the receiver's replies.
  if (fault.kind === 'failure' && op === 'send') return false
  return (
    fault.at <= now && fault.who === who && fault.stage === stage && (fault.op === op || fault.op === 'any')
  )
}
