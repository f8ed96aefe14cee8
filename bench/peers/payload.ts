// The job data of the peers, and the message that they send for it, which is as long as the message of Terce.
import type { Channel } from '../../src/ports/channel.ts'
import type { Payload } from '../engine.ts'

let next = 0

export function newPayload(): Payload {
  next += 1
  return {
    key: `p${process.pid}-${Date.now().toString(36)}-${next}`,
    firstName: `Ada${next}`,
    lastName: 'Lovelace',
    year: 2026,
  }
}

export function nextPayload(payload: Payload): Payload {
  return { ...payload, year: payload.year + 1 }
}

const never = new AbortController().signal

/** Sends through the channel that Terce uses. An undelivered message fails the job. */
export async function deliver(channel: Channel, payload: Payload): Promise<void> {
  const body = JSON.stringify({
    eventId: payload.key,
    type: 'BIRTHDAY',
    occurrence: String(payload.year),
    firstName: payload.firstName,
    lastName: payload.lastName,
    message: `Hey, ${payload.firstName} ${payload.lastName} it's your birthday`,
  })
  const delivery = {
    eventId: payload.key,
    idempotencyKey: `${payload.key}-${payload.year}`,
    body,
    attempt: 1,
  }
  const result = await channel.deliver(delivery, never)
  if (result.kind !== 'delivered') throw new Error(`The sink did not accept ${payload.key}: ${result.error}`)
}
