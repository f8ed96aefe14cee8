// The one way from a channel to the network. Every kind of channel sends through a dial, which connects to no private address
// unless its guard allows it.
import type { AllowedTargets } from '../../domain/settings/channel.ts'
import type { DeliveryResult } from '../../ports/channel.ts'

export type Guard = AllowedTargets

/** The part of `fetch` that every runtime has. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

declare const GUARDED: unique symbol

/** Only the functions in this folder make one: a channel cannot be built on an unguarded `fetch`. */
export type Dial = { readonly fetch: Fetch; readonly [GUARDED]: true }

/** Names the kind of address, not the address: a caller who may choose a target must not learn about the internal network. */
export class ForbiddenTarget extends Error {
  readonly code = 'FORBIDDEN_TARGET'
  /** True if the target itself names a private host. False if a name resolved to a private address: DNS can be corrected. */
  readonly forGood: boolean

  constructor(what: string, forGood: boolean) {
    super(`the target ${what}`)
    this.name = 'ForbiddenTarget'
    this.forGood = forGood
  }
}

/** The result of a delivery that the guard stopped; null if `error` is another error. */
export function forbiddenResult(error: unknown): DeliveryResult | null {
  // `fetch` keeps the error of a connection in `cause`.
  const { cause } = error as { cause?: unknown }
  const forbidden = [error, cause].find((one) => one instanceof ForbiddenTarget)
  if (forbidden === undefined) return null
  const kind = forbidden.forGood ? 'permanent' : 'transient'
  return { kind, error: `${forbidden.code}: ${forbidden.message}`, statusCode: null }
}
