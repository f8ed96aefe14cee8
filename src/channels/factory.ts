// Opens the configured channels, and checks their settings before they are saved. The guard against private targets is chosen
// here, for every kind of channel. Every runtime passes its own adapters.
import { ChannelUnusableError, type Parsed } from '../domain/errors.ts'
import {
  activeSecrets,
  type ChannelRecord,
  type ChannelSettings,
  ENVIRONMENT_CHANNEL,
  placeOfSecrets,
} from '../domain/settings/channel.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Vault } from '../ports/vault.ts'
import type { Dial, Guard } from './dial/dial.ts'
import { checkTarget } from './dial/target.ts'
import { type ChannelAdapters, createKinds, type Kind, type Kinds, type Timeouts } from './kinds.ts'

export type ChannelFactory = {
  allowedTargets: Guard
  /** The settings in canonical form, or the problems of the settings or of a new secret. `allowed` replaces `allowedTargets`. */
  parse: (settings: ChannelSettings, secret: string | null, allowed?: Guard) => Parsed<ChannelSettings>
  /**
   * Throws a ChannelUnusableError if the settings or the secrets cannot be used. `secrets` replaces the stored ones, for a
   * channel that is not stored.
   */
  open: (record: ChannelRecord, secrets?: readonly string[]) => Channel
}

type ChannelFactorySettings = Timeouts & {
  /** The hosts that channels may send to, except the one of WEBHOOK_URL. */
  targets: Guard
  /** Sign deliveries to WEBHOOK_URL. */
  webhookSecrets: readonly string[]
}

export function createChannelFactory<D extends Dial>(
  deps: { clock: Clock; vault: Vault | null; adapters: ChannelAdapters<D> },
  config: ChannelFactorySettings,
): ChannelFactory {
  const { clock, vault, adapters } = deps
  const kinds = createKinds(deps, config)
  // One dial for each guard: the channels share the connections of its `fetch`.
  const dials = new Map<Guard, D>()

  function parse(
    settings: ChannelSettings,
    secret: string | null,
    allowed = config.targets,
  ): Parsed<ChannelSettings> {
    const parsed = kindOf(kinds, settings).parse(settings, secret)
    if (!parsed.ok) return parsed
    const { target } = parsed.value
    const problems = target === null ? [] : checkTarget(target, allowed)
    return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.value.settings }
  }

  function open(record: ChannelRecord, given?: readonly string[]): Channel {
    const { settings } = record
    const fromEnvironment = record.id === ENVIRONMENT_CHANNEL
    const secrets = given ?? (fromEnvironment ? config.webhookSecrets : unsealed(record))
    // An operator may send to any host, a caller of the API only to those that the operator allows.
    const guard = fromEnvironment ? 'any' : config.targets
    return kindOf(kinds, settings).open(dialOf(guard), { guard, settings, secrets })
  }

  function dialOf(guard: Guard): D {
    const known = dials.get(guard)
    if (known !== undefined) return known
    const dial = adapters.dial(guard)
    dials.set(guard, dial)
    return dial
  }

  function unsealed(record: ChannelRecord): string[] {
    const sealed = activeSecrets(record, clock.now())
    if (sealed.length > 0 && vault === null)
      throw new ChannelUnusableError(
        'TERCE_SECRET_KEY is missing, and there is no key file: the secrets of this channel cannot be decrypted.',
      )
    try {
      return sealed.map((secret) => vault!.open(secret.sealed, placeOfSecrets(record)))
    } catch (error) {
      throw new ChannelUnusableError((error as Error).message)
    }
  }

  return { allowedTargets: config.targets, parse, open }
}

/** A kind is called with its own settings only, which TypeScript cannot see. */
function kindOf<D extends Dial>(kinds: Kinds<D>, { kind }: ChannelSettings): Kind<ChannelSettings, D> {
  return kinds[kind] as unknown as Kind<ChannelSettings, D>
}
