// One PostgreSQL for a whole run of tests, as a `globalSetup` of Vitest. It starts when the first test asks for it, so a run without
// such a test does not pay for it; projects of one run share it. Tests reach it by `sharedPostgres`.
import { type AddressInfo, createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A local port: who connects gets the port of the shared PostgreSQL. */
    sharedPostgresAt: number
  }
}

/** Without autovacuum: it would visit each of many databases, and most live for less than a second. */
const SETTINGS = ['max_connections=600', 'autovacuum=off']

type Shared = { at: number; projects: number; stop(): Promise<void> }

/** Each project loads this module for itself. */
const home = globalThis as { terceSharedPostgres?: Promise<Shared> }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  home.terceSharedPostgres ??= listen()
  const shared = await home.terceSharedPostgres
  shared.projects += 1
  project.provide('sharedPostgresAt', shared.at)
  return async () => {
    shared.projects -= 1
    if (shared.projects > 0) return
    delete home.terceSharedPostgres
    await shared.stop()
  }
}

async function listen(): Promise<Shared> {
  let starting: Promise<PostgresServer> | null = null
  const listener = createServer(async (socket) => {
    // A worker may end before the server has started.
    socket.on('error', () => {})
    try {
      starting ??= startPostgres({ fast: true, settings: SETTINGS })
      socket.end(String((await starting).port))
    } catch (error) {
      socket.end(String(error))
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    at: (listener.address() as AddressInfo).port,
    projects: 0,
    async stop() {
      listener.close()
      // A server that did not start was reported to the test that asked for it.
      const server = await starting?.catch(() => null)
      await server?.stop()
    },
  }
}
