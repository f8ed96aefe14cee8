// The message queue between the scheduler and the consumers: delivers each message at least once, unless a fault says
// otherwise, and makes it a dead letter after too many deliveries. Knows nothing of events.

import type { ClaimRef } from '../../../src/ports/claim.ts'
import type { Disposition } from '../../../src/ports/queue.ts'
import { SECOND, shuffled } from '../../support/fixtures.ts'
import { MadeToFail } from '../actors/process.ts'
import type { MessageEffect, QueuePlan } from '../scenario.ts'
import type { Item } from '../support/scheduler.ts'
import { ENGINE } from '../support/settings.ts'
import type { World } from '../support/world.ts'
import { createMessageFaults } from './message-faults.ts'

export type Service = {
  /** Stores messages and returns the rejected ones. */
  take(refs: readonly ClaimRef[]): { failed: ClaimRef[]; error: unknown }
  /** The next batch for a consumer. */
  receive(): Batch | null
  /** A consumer acknowledges or retries each message. A late response changes nothing: another may have received them. */
  answer(batch: Batch, answers: readonly Disposition[]): void
  /** The consumer of a batch crashed. */
  died(batch: Batch): void
  /** Called when there may be something to receive. */
  onMessages(listener: () => void): void
}

export type Batch = { dead: boolean; messages: readonly QueuedMessage[]; receipt: number }

export type QueuedMessage = {
  readonly ref: ClaimRef
  receives: number
  dead: boolean
  /** The batch in which it was last delivered. */
  receipt: number
  visibleAt: number
  /** How many more consumers it will crash. */
  crashes: number
  losesAck: boolean
  wakeUp: Item | null
}

/** How long the service lingers before it delivers a batch. */
const LINGER_MS = SECOND

export function createService(world: World, plan: QueuePlan): Service {
  const { scheduler, note } = world
  const dice = world.dice.fork()
  const messageFaults = createMessageFaults(world.scenario)
  const messages = new Set<QueuedMessage>()
  let receipts = 0
  let listener = () => {}

  function put(ref: ClaimRef, effect: MessageEffect | null, visibleAt: number): void {
    const crashes = effect?.kind === 'poison' ? effect.crashes : 0
    const losesAck = effect?.kind === 'unacked'
    const message = { ref, receives: 0, dead: false, receipt: 0, visibleAt, crashes, losesAck, wakeUp: null }
    messages.add(message)
    showAt(message, visibleAt)
  }

  function showAt(message: QueuedMessage, at: number): void {
    if (message.wakeUp !== null) scheduler.remove(message.wakeUp)
    message.visibleAt = at
    message.wakeUp = scheduler.add({ at, kind: 'script', owner: null, run: () => listener() })
  }

  function remove(message: QueuedMessage): void {
    if (message.wakeUp !== null) scheduler.remove(message.wakeUp)
    messages.delete(message)
  }

  function take(refs: readonly ClaimRef[]) {
    const failed: ClaimRef[] = []
    const now = scheduler.now()
    const at = now + (dice.chance(0.5) ? 0 : dice.between(0, LINGER_MS))
    for (const ref of refs) {
      const effect = messageFaults.next(now)
      note({ kind: 'queued', effect: effect?.kind ?? 'stored', ref })
      if (effect?.kind === 'rejected') failed.push(ref)
      if (effect?.kind === 'rejected' || effect?.kind === 'lost') continue
      put(ref, effect, effect?.kind === 'delayed' ? at + effect.byMs : at)
      if (effect?.kind === 'duplicated') put(ref, null, at + effect.afterMs)
    }
    return { failed, error: failed.length === 0 ? null : new MadeToFail('The queue rejected it.') }
  }

  /** A message that was delivered too often becomes a dead letter. */
  function deadLetter(message: QueuedMessage): void {
    message.dead = true
    message.receives = 0
    note({ kind: 'queued', effect: 'dead letter', ref: message.ref })
  }

  function receive(): Batch | null {
    const now = scheduler.now()
    const visible = [...messages].filter(({ visibleAt }) => visibleAt <= now)
    if (visible.length === 0) return null
    for (const message of visible)
      if (!message.dead && message.receives >= plan.maxReceives) deadLetter(message)
    const [{ dead }] = (plan.inOrder ? visible : shuffled(visible, dice.roll)) as [QueuedMessage]
    const alike = visible.filter((message) => message.dead === dead)
    const batch = (plan.inOrder ? alike : shuffled(alike, dice.roll)).slice(0, ENGINE.batchSize)
    receipts += 1
    for (const message of batch) {
      message.receives += 1
      message.receipt = receipts
      showAt(message, now + plan.unansweredMs)
    }
    return { dead, messages: batch, receipt: receipts }
  }

  function answer({ messages: batch, receipt }: Batch, answers: readonly Disposition[]): void {
    for (const [i, message] of batch.entries()) {
      const disposition = answers[i]!
      if (message.receipt !== receipt || !messages.has(message)) continue
      if (disposition.kind === 'retry') showAt(message, scheduler.now() + disposition.delayMs)
      else if (!message.losesAck) remove(message)
      else {
        message.losesAck = false
        note({ kind: 'queued', effect: 'ack lost', ref: message.ref })
      }
    }
  }

  function died({ messages: batch, receipt }: Batch): void {
    for (const message of batch)
      if (message.receipt === receipt) showAt(message, scheduler.now() + plan.diedMs)
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
