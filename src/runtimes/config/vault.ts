// Encrypts secrets with AES-256-GCM and a key from the environment. Each has its own nonce; changed bytes are detected.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Vault } from '../../ports/vault.ts'

const VERSION = 'v1'

/** 32 bytes in base64, as `openssl rand -base64 32` prints them; null for anything else. */
export function parseSecretKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? key : null
}

/** A new signing secret for a webhook: 256 bits, as Standard Webhooks writes them. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function createVault(key: Buffer): Vault {
  // Identifies the key without revealing it, to distinguish a wrong key from a damaged secret.
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    seal(secret) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
    },

    open(text) {
      const [version, sealedBy, nonce, body] = text.split('.')
      if (version !== VERSION || nonce === undefined || body === undefined)
        throw new Error('A stored secret has a form that this version does not know.')
      if (sealedBy !== keyId)
        throw new Error('A stored secret was sealed under another TERCE_SECRET_KEY. Give that key again.')
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
    },
  }
}
