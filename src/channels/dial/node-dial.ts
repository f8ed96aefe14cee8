// Opens connections to public addresses only. A name is looked up once for each connection and the checked address is the
// one that is dialled, so DNS rebinding cannot bypass the check.
import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch } from 'undici'
import { whatIsForbidden } from './address.ts'
import { whatIsPrivate } from './target.ts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true })

/** Names the kind of address, not the address: a caller who may choose a URL must not learn about the internal network. */
export class ForbiddenTarget extends Error {
  readonly code = 'FORBIDDEN_TARGET'
  /** True if the URL itself names a private host. False if a name resolved to a private address: DNS can be corrected. */
  readonly forGood: boolean

  constructor(what: string, forGood: boolean) {
    super(`the target ${what}`)
    this.name = 'ForbiddenTarget'
    this.forGood = forGood
  }
}

export function connectToPublic(resolve: Resolve = resolveBySystem): buildConnector.connector {
  const connect = buildConnector({ lookup: lookupPublic(resolve) })
  return (options, callback) => {
    // Sockets do not call lookup for a literal IP address.
    const what = whatIsPrivate(options.hostname)
    if (what === null) connect(options, callback)
    else process.nextTick(callback, new ForbiddenTarget(`is ${what}`, true), null)
  }
}

/** `fetch` that connects to public addresses only. */
export function fetchPublic(resolve?: Resolve): typeof globalThis.fetch {
  const dispatcher = new Agent({ connect: connectToPublic(resolve) })
  const guarded = (url: string, init: RequestInit) => fetch(url, { ...(init as object), dispatcher })
  return guarded as unknown as typeof globalThis.fetch
}

/** A lookup function for sockets. Fails if any of the addresses is forbidden: the socket may dial any of them. */
export function lookupPublic(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const forbidden = findForbidden(addresses)
        if (forbidden !== null) callback(forbidden, [])
        else if (options.all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error) => callback(error, []),
    )
  }
}

function findForbidden(addresses: readonly LookupAddress[]): ForbiddenTarget | null {
  for (const { address } of addresses) {
    const what = whatIsForbidden(address)
    if (what !== null) return new ForbiddenTarget(`resolves to ${what ?? 'an unreadable'} address`, false)
  }
  return null
}
