// Deliveries as Terce sends them, made with the sender's own code, for the tests of the receiver.
import { createSigner } from '../../../src/channels/webhook/signature.ts'

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const OTHER_SECRET = 'whsec_dGhlIG5leHQgc2VjcmV0LCB0aGlydHktdHdvIGJ5dGVz'
export const NOW = Date.UTC(2026, 10, 15, 9)
export const KEY = 'event-0123456789abcdef0123456789abcdef'
export const BODY = '{"eventId":"e1","message":"Grüße 🎂"}'

export type Signed = { headers: Record<string, string>; body: string }

export function signed({ body = BODY, secrets = [SECRET], at = NOW, key = KEY } = {}): Signed {
  const timestamp = Math.floor(at / 1000)
  return {
    headers: {
      'content-type': 'application/json',
      'x-idempotency-key': key,
      'webhook-id': key,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': createSigner(secrets)(key, timestamp, body),
    },
    body,
  }
}

export function requestOf({ headers, body }: Signed): Request {
  return new Request('https://receiver.example/hook', { method: 'POST', headers, body })
}
