// Whom a command talks to: a server by its address, or the API inside this process on the database of the environment.
// Every command is written once, against the client.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Client, createClient, type Fetch, TerceError } from '../client/client.ts'
import { type Config, ConfigError, readConfig } from '../runtimes/config/config.ts'
import type { Database } from '../runtimes/node/database.ts'
import type { Entry } from './entry.ts'
import { describeDatabase } from './output/describe-database.ts'

export type RemoteOptions = { url?: string; key?: string }

export type Remote = {
  client: Client
  /** As it may be shown. */
  where: string
  /** What is behind the client, if it is in this process. */
  local: { config: Config; database: Database } | null
}

export const REMOTE_HELP = `
It works on the database of DATABASE_URL or, with --url or TERCE_URL, on the Terce that listens there; that one may need
an API key, by TERCE_KEY or --key (which others on this machine can see in the list of processes).

Exit codes: 0 done, 1 failed, 2 something asked for wrongly.`

export function addRemoteOptions(command: Command): Command {
  return command
    .option('--url <url>', 'a running Terce (default: TERCE_URL, or else the database of DATABASE_URL)')
    .option('--key <key>', 'an API key for it (default: TERCE_KEY)')
}

/** The address of a server; null for the database of the environment. */
export function serverOf({ url = '' }: RemoteOptions, env: Entry['env']): string | null {
  const given = url || env.TERCE_URL?.trim() || null
  if (given === null) return null
  const name = url ? '--url' : 'TERCE_URL'
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ConfigError([`${name} ${given} is not usable. Give an address such as http://localhost:3000.`])
  return given
}

export async function withRemote<T>(
  options: RemoteOptions,
  { env }: Entry,
  work: (remote: Remote) => Promise<T>,
): Promise<T> {
  const url = serverOf(options, env)
  const key = options.key ?? env.TERCE_KEY?.trim()
  try {
    if (url === null) return await withDatabase(readConfig(env), work)
    return await work({ client: createClient({ url, key, fetch: fetchFrom(url) }), where: url, local: null })
  } catch (error) {
    throw error instanceof TerceError ? forCaller(error) : error
  }
}

/** What was refused, to somebody who gave options and not fields. */
function forCaller(error: TerceError): Error {
  const { code, status, detail, problems } = error
  if (code === 'UNAUTHORIZED')
    return new Error('It needs an API key. Set TERCE_KEY, or give --key. terce keys create makes one there.')
  if (status === 400 && problems.length > 0)
    return new ConfigError(problems.map(({ field, message }) => `${field}: ${message}`))
  return new Error(`${detail} (${code})`)
}

async function withDatabase<T>(config: Config, work: (remote: Remote) => Promise<T>): Promise<T> {
  refuseMissingFile(config)
  const { openDatabase } = await import('../runtimes/node/database.ts')
  const { localApp } = await import('./local-app.ts')
  const database = await openDatabase(config.database, (error) => {
    throw error
  })
  try {
    const app = localApp(config, database)
    const fetch: Fetch = async (url, init) => app.fetch(new Request(url, init))
    const client = createClient({ url: 'http://localhost', fetch })
    return await work({ client, where: describeDatabase(config.database), local: { config, database } })
  } finally {
    await database.close()
  }
}

/** Opening would make an empty one, and everything asked of that would be a wrong answer. */
function refuseMissingFile({ database }: Config): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return
  throw new ConfigError([
    `There is no database at ${database.path}. Set DATABASE_URL, or TERCE_URL for a running Terce.`,
  ])
}

const TIMEOUT_MS = 60_000

function fetchFrom(url: string): Fetch {
  return async (address, init) => {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]
    try {
      return await fetch(address, { ...init, signal: AbortSignal.any(signals) })
    } catch (error) {
      if (init.signal?.aborted) throw error
      const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
      const why = name === 'TimeoutError' ? 'it did not answer' : cause?.code || cause?.message || message
      throw new Error(`Cannot reach ${url}: ${why}. Is Terce running there? Check --url or TERCE_URL.`)
    }
  }
}
