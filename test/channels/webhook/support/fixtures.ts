// Fixtures of the webhook tests: secrets, a delivery, a clock that can be shifted, and a record of dialled hosts.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Clock } from '../../../../src/ports/clock.ts'
import { systemClock } from '../../../../src/runtimes/shared/system-clock.ts'

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const NEXT_SECRET = 'whsec_dGhlIG5leHQgc2VjcmV0LCB0aGlydHktdHdvIGJ5dGVz'

export const delivery = {
  eventId: 'e1',
  idempotencyKey: 'event-0123456789abcdef0123456789abcdef',
  body: '{"message":"Grüße 🎂"}',
  attempt: 1,
}

export const never = new AbortController().signal

/** The clock of the machine, with a shift that a test may change. */
export function createTestClock(): Clock & { shiftMs: number } {
  const clock = {
    shiftMs: 0,
    ...systemClock,
    now: () => Date.now() + clock.shiftMs,
  }
  return clock
}

/** The hosts that undici set out to connect to while `act` ran. */
export async function dialled(act: () => Promise<unknown>): Promise<string[]> {
  const hosts: string[] = []
  const note = (message: unknown) => {
    hosts.push((message as { connectParams: { hostname: string } }).connectParams.hostname)
  }
  subscribe('undici:client:beforeConnect', note)
  try {
    await act()
  } finally {
    unsubscribe('undici:client:beforeConnect', note)
  }
  return hosts
}
