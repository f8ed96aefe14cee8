// Fixtures of the e-mail tests: a delivery, a clock, and cleanups that run after each test.
import type { MailBody } from '../../../../src/channels/email/mail.ts'
import type { Delivery } from '../../../../src/ports/channel.ts'

export { systemClock as clock } from '../../../../src/runtimes/shared/system-clock.ts'

export const never = new AbortController().signal

/** `undefined` leaves a field out, as the body of another channel does. */
export function mailDelivery(
  changes: { [field in keyof MailBody]?: MailBody[field] | undefined } = {},
  key = 'event-0123456789abcdef',
): Delivery {
  const body = {
    eventId: 'e1',
    type: 'BIRTHDAY',
    message: "Hey, Ada Lovelace it's your birthday",
    userId: 'u1',
    occurrence: '2026',
    targetTimestampUTC: '2026-11-15T09:00:00.000Z',
    targetTimestampLocal: '2026-11-15T09:00:00+00:00',
    timezone: 'UTC',
    lateBySeconds: 0,
    to: 'ada@example.com',
    toName: 'Ada Lovelace',
    subject: 'Happy birthday, Ada',
    text: "Hey, Ada Lovelace it's your birthday",
    html: "<p>Hey, Ada Lovelace it's your birthday</p>",
    ...changes,
  }
  return { eventId: 'e1', idempotencyKey: key, body: JSON.stringify(body), attempt: 1 }
}
