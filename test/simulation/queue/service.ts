// The message service between the scheduler and the consumers: gives out each message at least once, unless the scenario
// says otherwise, and after so many receives as a dead letter. Knows nothing of events.

import type { ClaimRef } from '../../../src/ports/claim.ts'
import type { Disposition } from '../../../src/ports/queue.ts'
import { SECOND, shuffled } from '../../support/fixtures.ts'
import { MadeToFail } from '../actors/process.ts'
import type { Fate, QueuePlan } from '../scenario.ts'
import type { Item } from '../support/scheduler.ts'
import { ENGINE } from '../support/settings.ts'
import type { World } from '../support/world.ts'
import { chooseFates } from './message-faults.ts'

export type Service = {
  /** Takes messages, and says which it did not take. */
  take(refs: readonly ClaimRef[]): { failed: ClaimRef[]; error: unknown }
  /** What can be given to a consumer now. */
  receive(): Batch | null
  /** A consumer says what becomes of each. Too late, it changes nothing: another may have got them. */
  answer(batch: Batch, answers: readonly Disposition[]): void
  /** The consumer of a batch was seen to die. */
  died(batch: Batch): void
  /** Called when there may be something to receive. */
  onMessages(listener: () => void): void
}

export type Batch = { dead: boolean; letters: readonly Letter[]; receipt: number }

export type Letter = {
  readonly ref: ClaimRef
  receives: number
  dead: boolean
  /** The number of the batch in which it was last given out. */
  receipt: number
  visibleAt: number
  /** How many consumers it will still end. */
  deaths: number
  losesAck: boolean
  wakeUp: Item | null
}

/** How long the service waits for company before it gives out a batch. */
const WINDOW_MS = SECOND

export function createService(world: World, plan: QueuePlan): Service {
  const { scheduler, note } = world
  const dice = world.dice.fork()
  const fates = chooseFates(world.scenario)
  const letters = new Set<Letter>()
  let receipts = 0
  let listener = () => {}

  function put(ref: ClaimRef, fate: Fate | null, visibleAt: number): void {
    const deaths = fate?.kind === 'deadly' ? fate.deaths : 0
    const losesAck = fate?.kind === 'unacked'
    const letter = { ref, receives: 0, dead: false, receipt: 0, visibleAt, deaths, losesAck, wakeUp: null }
    letters.add(letter)
    showAt(letter, visibleAt)
  }

  function showAt(letter: Letter, at: number): void {
    if (letter.wakeUp !== null) scheduler.remove(letter.wakeUp)
    letter.visibleAt = at
    letter.wakeUp = scheduler.add({ at, kind: 'script', owner: null, run: () => listener() })
  }

  function remove(letter: Letter): void {
    if (letter.wakeUp !== null) scheduler.remove(letter.wakeUp)
    letters.delete(letter)
  }

  function take(refs: readonly ClaimRef[]) {
    const failed: ClaimRef[] = []
    const now = scheduler.now()
    const at = now + (dice.chance(0.5) ? 0 : dice.between(0, WINDOW_MS))
    for (const ref of refs) {
      const fate = fates.next(now)
      note({ kind: 'posted', fate: fate?.kind ?? 'taken', ref })
      if (fate?.kind === 'refused') failed.push(ref)
      if (fate?.kind === 'refused' || fate?.kind === 'lost') continue
      put(ref, fate, fate?.kind === 'late' ? at + fate.byMs : at)
      if (fate?.kind === 'doubled') put(ref, null, at + fate.afterMs)
    }
    return { failed, error: failed.length === 0 ? null : new MadeToFail('The queue refused it.') }
  }

  /** What was given out as often as it may be goes to the dead letters instead. */
  function giveUp(letter: Letter): void {
    letter.dead = true
    letter.receives = 0
    note({ kind: 'posted', fate: 'dead letter', ref: letter.ref })
  }

  function receive(): Batch | null {
    const now = scheduler.now()
    const visible = [...letters].filter(({ visibleAt }) => visibleAt <= now)
    if (visible.length === 0) return null
    for (const letter of visible) if (!letter.dead && letter.receives >= plan.maxReceives) giveUp(letter)
    const [{ dead }] = (plan.inOrder ? visible : shuffled(visible, dice.roll)) as [Letter]
    const alike = visible.filter((letter) => letter.dead === dead)
    const batch = (plan.inOrder ? alike : shuffled(alike, dice.roll)).slice(0, ENGINE.batchSize)
    receipts += 1
    for (const letter of batch) {
      letter.receives += 1
      letter.receipt = receipts
      showAt(letter, now + plan.unansweredMs)
    }
    return { dead, letters: batch, receipt: receipts }
  }

  function answer({ letters: batch, receipt }: Batch, answers: readonly Disposition[]): void {
    for (const [i, letter] of batch.entries()) {
      const told = answers[i]!
      if (letter.receipt !== receipt || !letters.has(letter)) continue
      if (told.kind === 'retry') showAt(letter, scheduler.now() + told.delayMs)
      else if (!letter.losesAck) remove(letter)
      else {
        letter.losesAck = false
        note({ kind: 'posted', fate: 'unheard', ref: letter.ref })
      }
    }
  }

  function died({ letters: batch, receipt }: Batch): void {
    for (const letter of batch) if (letter.receipt === receipt) showAt(letter, scheduler.now() + plan.diedMs)
  }

  return {
    take,
    receive,
    answer,
    died,
    onMessages(call) {
      listener = call
    },
  }
}
