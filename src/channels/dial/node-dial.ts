// The dial of Node: sockets, HTTP agents and `fetch`. A name is looked up once for each connection and the checked address is
// the one that is dialled, so DNS rebinding cannot bypass the check.
import { promises as dns, type LookupAddress } from 'node:dns'
import { connect, type LookupFunction, Socket } from 'node:net'
import { Agent, buildConnector, Client, fetch as fetchByUndici } from 'undici'
import { whatIsForbidden } from './address.ts'
import { type Dial, type Fetch, ForbiddenTarget, type Guard } from './dial.ts'
import { isExempt, whatIsBlocked } from './target.ts'

export type NodeDial = Dial & Sockets

type Sockets = {
  /** An HTTP client with one connection, which it opens again after it was closed. */
  client(origin: string, limits: Omit<Client.Options, 'connect'>): Client
  /** A socket that is connecting; it emits `error` if the guard stops it. */
  connect(target: { host: string; port: number }): Socket
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true })

export function createNodeDial(guard: Guard, resolve: Resolve = resolveBySystem): NodeDial {
  if (guard === 'any') return asDial({ fetch, client: clientsOn(buildConnector({})), connect })
  const lookup = guardedLookup(guard, resolve)
  const connector = guardedConnector(guard, lookup)
  const dispatcher = new Agent({ connect: connector })
  const fetchGuarded = (url: string, init: RequestInit) =>
    fetchByUndici(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>
  return asDial({
    client: clientsOn(connector),
    fetch: fetchGuarded,
    connect({ host, port }) {
      // Sockets do not call lookup for a literal IP address.
      const what = whatIsBlocked(host, guard)
      if (what === null) return connect({ host, port, lookup })
      return new Socket().destroy(new ForbiddenTarget(`is ${what}`, true))
    },
  })
}

function asDial(dial: Sockets & { fetch: Fetch }): NodeDial {
  return dial as NodeDial
}

/** One connector for all clients: it caches TLS sessions. */
function clientsOn(connect: buildConnector.connector): Sockets['client'] {
  return (origin, limits) => new Client(origin, { ...limits, connect })
}

function guardedConnector(guard: Guard, lookup: LookupFunction): buildConnector.connector {
  const connector = buildConnector({ lookup })
  return (options, callback) => {
    // Sockets do not call lookup for a literal IP address.
    const what = whatIsBlocked(options.hostname, guard)
    if (what === null) connector(options, callback)
    else process.nextTick(callback, new ForbiddenTarget(`is ${what}`, true), null)
  }
}

/** A lookup function for sockets. Fails if any of the addresses is forbidden: the socket may dial any of them. */
export function guardedLookup(guard: Guard, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const forbidden = findForbidden(addresses, isExempt(hostname, guard) ? 'a loopback' : null)
        const [first] = addresses
        if (forbidden !== null) callback(forbidden, [])
        // node:net throws on an empty list, outside of any handler.
        else if (first === undefined) callback(noAddress(hostname), [])
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

/** As the system's resolver reports a name without an address. */
function noAddress(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}

/** `allowed` is the kind of address that the name may have: null for a public one. */
function findForbidden(addresses: readonly LookupAddress[], allowed: string | null): ForbiddenTarget | null {
  for (const { address } of addresses) {
    const what = whatIsForbidden(address)
    if (what === allowed) continue
    const kind = what === null ? 'a public' : (what ?? 'an unreadable')
    return new ForbiddenTarget(`resolves to ${kind} address`, false)
  }
  return null
}
