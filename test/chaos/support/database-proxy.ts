// A proxy between Terce and PostgreSQL that breaks connections as a network can. It can also lose the response of a
// COMMIT that was executed.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { isCommit, isReady, splitMessages } from './wire-messages.ts'

export type DatabaseProxy = {
  port: number
  /** Resets that share of the connections, picked by the dice. Returns how many. */
  cut(share: number, dice: () => number): number
  /** Delays every message, until it is set to 0. */
  delay(ms: number): void
  /** That share of the connections, and all new ones, go silent: open, and nothing passes. Until `speak`. */
  silence(share: number, dice: () => number): void
  /** New connections pass again; silent ones stay silent. */
  admit(): void
  /** Resets the silent connections and ends the silence. */
  speak(): void
  /** Resets the connection of that share of COMMITs, before or after the COMMIT is executed. Until it is set to 0. */
  loseCommits(share: number, when: 'before' | 'after', dice: () => number): void
  lostCommits(): { before: number; after: number }
  close(): Promise<void>
}

type Link = { near: Socket; far: Socket | null; silent: boolean; losesResponse: boolean }

export async function startDatabaseProxy(target: { port: number }): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  const lost = { before: 0, after: 0 }
  let loss: { share: number; when: 'before' | 'after'; dice: () => number } | null = null
  let delayMs = 0
  let silent = false

  const server = createServer((near) => {
    const link: Link = { near, far: null, silent, losesResponse: false }
    links.add(link)
    near.on('error', () => {})
    near.setNoDelay(true)
    // The server does not notice that a client of a silent connection is gone, as after a power cut.
    near.on('close', () => {
      if (!link.silent) drop(link)
    })
    if (silent) near.resume()
    else reach(link)
  })

  function reach(link: Link): void {
    const far = connect(target.port, '127.0.0.1')
    link.far = far
    far.setNoDelay(true)
    far.on('error', () => {})
    far.on('close', () => {
      if (!link.silent) drop(link)
    })
    const fromClient = splitMessages('client')
    const fromServer = splitMessages('server')
    const [there, back] = [slowLane(), slowLane()]
    link.near.on('data', (data) => {
      for (const message of fromClient(data)) there(() => forward(link, message))
    })
    far.on('data', (data) => {
      for (const message of fromServer(data)) back(() => respond(link, message))
    })
  }

  /** One direction of a connection: keeps the order of messages while the delay changes. */
  function slowLane(): (pass: () => void) => void {
    const waiting: (() => void)[] = []
    return (pass) => {
      if (delayMs === 0 && waiting.length === 0) return pass()
      waiting.push(pass)
      setTimeout(() => waiting.shift()!(), delayMs)
    }
  }

  function forward(link: Link, message: Buffer): void {
    if (link.silent || link.far?.destroyed !== false) return
    if (loss !== null && isCommit(message) && loss.dice() < loss.share) {
      lost[loss.when] += 1
      if (loss.when === 'before') return drop(link)
      link.losesResponse = true
    }
    link.far.write(message)
  }

  function respond(link: Link, message: Buffer): void {
    if (link.silent || link.near.destroyed) return
    if (!link.losesResponse) link.near.write(message)
    else if (isReady(message)) drop(link)
  }

  function drop(link: Link): void {
    links.delete(link)
    link.near.resetAndDestroy()
    link.far?.resetAndDestroy()
  }

  const pick = (share: number, dice: () => number) => [...links].filter(() => dice() < share)

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const admit = () => {
    silent = false
  }
  const speak = () => {
    admit()
    for (const link of links) if (link.silent) drop(link)
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut(share, dice) {
      const chosen = pick(share, dice)
      for (const link of chosen) drop(link)
      return chosen.length
    },
    delay: (ms) => {
      delayMs = ms
    },
    silence(share, dice) {
      silent = true
      for (const link of pick(share, dice)) link.silent = true
    },
    admit,
    speak,
    loseCommits: (share, when, dice) => {
      loss = { share, when, dice }
    },
    lostCommits: () => ({ ...lost }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const link of links) drop(link)
      }),
  }
}
