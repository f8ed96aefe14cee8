// The secret that a sender and a receiver share: whsec_ and the key in base64. Never quotes a secret in an error.
import { decodeBase64 } from './base64.ts'

const PREFIX = 'whsec_'
const LEAST_BYTES = 24
const MOST_BYTES = 64

export const SECRET_REMEDY =
  'Give whsec_ and 24 to 64 random bytes in base64, as this prints: ' +
  `node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`

/** The key in a secret, or null where it is not one. */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> | null {
  if (!text.startsWith(PREFIX)) return null
  const key = decodeBase64(text.slice(PREFIX.length))
  return key !== null && key.length >= LEAST_BYTES && key.length <= MOST_BYTES ? key : null
}

/** Random keys of 24 bytes have fewer of either with a probability below 10⁻¹⁵. */
const LEAST_VARIETY = 8

/** True for a key that is made of few different bytes or is a sequence: nobody generated it at random. */
export function isGuessable(key: Uint8Array): boolean {
  const steps = key.map((byte, index) => byte - (key[index - 1] ?? 0))
  return new Set(key).size < LEAST_VARIETY || new Set(steps).size < LEAST_VARIETY
}

/** The keys in secrets that should have been checked before: a bad one throws, and so does having none. */
export function keysOf(secrets: readonly string[]): Uint8Array<ArrayBuffer>[] {
  if (!Array.isArray(secrets))
    throw new Error('The webhook secrets are not a list. Give a list: secrets: [secret].')
  if (secrets.length === 0) throw new Error('There is no webhook secret. Give at least one.')
  return secrets.map((secret: unknown, index) => {
    if (typeof secret !== 'string' || secret === '')
      throw new Error(
        `Webhook secret ${index + 1} is missing. Is the variable that holds it, such as WEBHOOK_SECRET, set?`,
      )
    const key = parseSecret(secret)
    if (key === null) throw new Error(`Webhook secret ${index + 1} is not usable. ${SECRET_REMEDY}`)
    return key
  })
}
