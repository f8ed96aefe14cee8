// Opens connections to public addresses only. What is checked is what is dialled: a name is looked up once for each
// connection, and no second answer can take the place of the first.
import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch } from 'undici'
import { whatIsForbidden } from './address.ts'
import { whatIsPrivate } from './target.ts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true })

/** Says what kind of address it was and not which: who may choose a URL must not learn our network from our answers. */
export class ForbiddenTarget extends Error {
  readonly code = 'FORBIDDEN_TARGET'
  /** A host that is private in its own spelling stays so; what a name stands for may be put right. */
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
    // Sockets do not look up an address that is given as such.
    const what = whatIsPrivate(options.hostname)
    if (what === null) connect(options, callback)
    else process.nextTick(callback, new ForbiddenTarget(`is ${what}`, true), null)
  }
}

/** The usual fetch, over such connections. */
export function fetchPublic(resolve?: Resolve): typeof globalThis.fetch {
  const dispatcher = new Agent({ connect: connectToPublic(resolve) })
  const guarded = (url: string, init: RequestInit) => fetch(url, { ...(init as object), dispatcher })
  return guarded as unknown as typeof globalThis.fetch
}

/** Looks up as a socket asks it to, and fails if even one of the addresses is forbidden: any of them could be dialled. */
export function lookupPublic(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refusal = refuse(addresses)
        if (refusal !== null) callback(refusal, [])
        else if (options.all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error) => callback(error, []),
    )
  }
}

function refuse(addresses: readonly LookupAddress[]): ForbiddenTarget | null {
  for (const { address } of addresses) {
    const what = whatIsForbidden(address)
    if (what !== null) return new ForbiddenTarget(`resolves to ${what ?? 'an unreadable'} address`, false)
  }
  return null
}
