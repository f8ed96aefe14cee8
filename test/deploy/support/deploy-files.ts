// Reads the files of deploy/, and the rules that several of them must follow.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Config, readConfig } from '../../../src/runtimes/config/config.ts'

const ROOT = new URL('../../../', import.meta.url)

export function readRoot(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

export const VERSION: string = JSON.parse(readRoot('package.json')).version

/** The settings of a deployment that are secret, or come with a secret. */
export const PASSED = ['DATABASE_URL', 'TERCE_SECRET_KEY', 'WEBHOOK_SECRET', 'WEBHOOK_URL']

/** Values that a person would give, as openssl makes them. */
export const GIVEN: Record<string, string> = {
  POSTGRES_PASSWORD: 'a1b2c3d4e5f6',
  TERCE_APP_PASSWORD: 'f6e5d4c3b2a1',
  DATABASE_URL: 'postgres://terce:a1b2c3d4e5f6@postgres/terce',
  TERCE_API_KEYS: 'first:admin:a-key-of-thirty-two-characters-or-more',
  TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of the receiver, 2x16 B').toString('base64')}`,
  WEBHOOK_URL: 'https://example.com/hooks/terce',
}

/**
 * The longest that a process takes to stop: ten seconds for messages in flight, and eight until it gives up on a database that
 * does not respond. A supervisor that kills it earlier delays its events until their leases expire.
 */
export const STOP_SECONDS = 18

/** A tag can be moved to another image; a digest cannot. The tag stays for the reader. */
export const PINNED_IMAGE = /^[a-z]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/

/** A deployment must sign its deliveries and store secrets of channels, with settings of docs/settings.md alone. */
export function expectSigned(settings: Record<string, string>): Config {
  const documented = readRoot('docs/settings.md')
  for (const name of Object.keys(settings)) expect(documented).toContain(`| \`${name}\` |`)
  const config = readConfig(settings)
  expect([config.webhookUrl, config.webhookSecrets]).toEqual([GIVEN.WEBHOOK_URL, [GIVEN.WEBHOOK_SECRET]])
  expect(config.secretKeys).toEqual([Buffer.from(GIVEN.TERCE_SECRET_KEY!, 'base64')])
  return config
}
