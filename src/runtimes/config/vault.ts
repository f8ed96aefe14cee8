// Encrypts secrets with AES-256-GCM and a key that is not in the database. Each has its own nonce and is bound to its place; changed
// or moved bytes are detected.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Vault } from '../../ports/vault.ts'

const VERSION = 'v2'
const TAG_BYTES = 16

/** 32 bytes in base64, as `openssl rand -base64 32` prints them; null for anything else. */
function parseSecretKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? key : null
}

/** One key, or during a rotation the new key and the previous one; undefined if one of them is no key. */
export function parseSecretKeys(text: string): [Buffer, ...Buffer[]] | undefined {
  const keys = text.split(',').map((key) => parseSecretKey(key.trim()))
  return keys.every((key) => key !== null) ? (keys as [Buffer, ...Buffer[]]) : undefined
}

/** A new signing secret for a webhook: 256 bits, as Standard Webhooks writes them. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The first key seals; every key opens. More than one during a rotation of keys. */
export function createVault(keys: readonly [Buffer, ...Buffer[]]): Vault {
  const [current] = keys
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const currentId = idOf(current)
  return {
    seal(secret, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, currentId, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
    },

    open(text, place) {
      const [version, sealedBy = '', nonce, body] = text.split('.')
      if (version !== VERSION || nonce === undefined || body === undefined)
        throw new Error('A stored secret has a form that this version does not know.')
      const key = byId.get(sealedBy)
      if (key === undefined)
        throw new Error(
          'A stored secret was sealed under another TERCE_SECRET_KEY or key file. Give that key again.',
        )
      const bytes = Buffer.from(body, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(place))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const secret = decipher.update(bytes.subarray(0, -TAG_BYTES))
        return Buffer.concat([secret, decipher.final()]).toString('utf8')
      } catch {
        throw new Error('A stored secret is damaged or belongs to another channel. Set it again.')
      }
    },

    isCurrent: (text) => text.split('.')[1] === currentId,
  }
}

/** Identifies a key without revealing it, to distinguish a wrong key from a damaged secret. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}
