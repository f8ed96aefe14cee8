// Checks the stored channels with the settings of this process: their secrets, and the hosts that they send to.
import {
  activeSecrets,
  type ChannelRecord,
  ENVIRONMENT_CHANNEL,
  placeOfSecrets,
} from '../../domain/settings/channel.ts'
import { type channelsOf, missingPackage } from '../../runtimes/shared/channels.ts'
import { type Check, fail, warn } from './check.ts'

type Deps = ReturnType<typeof channelsOf>

export async function checkChannels(deps: Deps, channels: readonly ChannelRecord[]): Promise<Check[]> {
  const now = deps.clock.now()
  // The secrets of the environment are stored as hashes.
  const sealed = channels.filter(
    (channel) => channel.id !== ENVIRONMENT_CHANNEL && activeSecrets(channel, now).length > 0,
  )
  const readable = sealed.filter((channel) => secretOf(deps, channel) !== null)
  const unreadable = sealed.filter((channel) => !readable.includes(channel))
  const broken = await Promise.all(unreadable.map((channel) => checkSecrets(deps, channel)))
  const targets = readable.flatMap((channel) => checkTarget(deps, channel))
  return [...broken.flat(), ...targets, ...checkSealing(deps, readable), ...(await checkPackages(channels))]
}

/** The decrypted secret; null if no key opens it. */
function secretOf({ vault, clock }: Deps, channel: ChannelRecord): string | null {
  if (vault === null) return null
  try {
    const place = placeOfSecrets(channel)
    return activeSecrets(channel, clock.now()).map(({ sealed }) => vault.open(sealed, place))[0] ?? null
  } catch {
    return null
  }
}

const SECRETS_REMEDY =
  'Set TERCE_SECRET_KEY to the key that its secrets were encrypted with, or restore the key file beside the SQLite file from a backup.'

async function checkSecrets({ open }: Deps, channel: ChannelRecord): Promise<Check[]> {
  try {
    await open(channel).close()
    return []
  } catch (error) {
    const text = `Cannot send to "${channel.name}": ${(error as Error).message}`
    return [fail('secrets', text, SECRETS_REMEDY)]
  }
}

/** Channels that were saved with other settings may have a target that is forbidden now. */
function checkTarget(deps: Deps, channel: ChannelRecord): Check[] {
  const parsed = deps.parse(channel.settings, secretOf(deps, channel))
  const problems = parsed.ok ? [] : parsed.problems
  const remedy = `Give it another target: PUT /channel/${channel.id}, and for SMTP POST /channel/${channel.id}/rotate.`
  return problems
    .filter(({ code }) => code === 'FORBIDDEN_TARGET')
    .map(({ message }) => fail('targets', `"${channel.name}" cannot send: ${message}`, remedy))
}

/** A check for each kind of channel that needs a package which is not installed. */
async function checkPackages(channels: readonly ChannelRecord[]): Promise<Check[]> {
  const kinds = [...new Set(channels.map(({ settings }) => settings.kind))]
  const checks = kinds.map(async (kind) => {
    const missing = await missingPackage(kind)
    if (missing === null) return []
    const names = channels.filter(({ settings }) => settings.kind === kind).map(({ name }) => `"${name}"`)
    const remedy = 'Install it where Terce is installed, and restart. The messages wait.'
    return [fail('packages', `Cannot send to ${names.join(', ')}. ${missing}.`, remedy)]
  })
  return (await Promise.all(checks)).flat()
}

/** A warning if secrets should be encrypted again. */
function checkSealing({ vault, clock }: Deps, readable: readonly ChannelRecord[]): Check[] {
  if (vault === null) return []
  const now = clock.now()
  const names = readable
    .filter((channel) => activeSecrets(channel, now).some(({ sealed }) => !vault.isCurrent(sealed)))
    .map(({ name }) => name)
  if (names.length === 0) return []
  const channels = names.length === 1 ? '1 channel' : `${names.length} channels`
  const text = `The secrets of ${channels} are encrypted with the previous key: ${names.join(', ')}.`
  return [
    warn(
      'secrets',
      text,
      'Run terce keys reseal, then remove the previous key from TERCE_SECRET_KEY or the key file.',
    ),
  ]
}
