// What a command talks to: a running server, or the API inside this process on the database of DATABASE_URL. Both are used
// through the client, so that each command is written once.
import type { Command } from 'commander'
import { type Client, createClient, type Fetch, TerceError } from '../client/client.ts'
import { type Config, ConfigError, readConfig } from '../runtimes/config/config.ts'
import type { Database } from '../runtimes/node/database.ts'
import type { Entry } from './entry.ts'
import { openForCommand } from './open-database.ts'
import { describeDatabase } from './output/words.ts'

export type RemoteOptions = { url?: string; key?: string }

export type Remote = {
  client: Client
  /** The address or database, without secrets. */
  where: string
  /** Null if the client talks to a server. */
  local: { config: Config; database: Database } | null
}

export const REMOTE_HELP = `
Uses the database of DATABASE_URL, or the server given by --url or TERCE_URL. A server may need an API key: set
TERCE_API_KEY or pass --key (visible to other users of this machine in the process list).

Exit codes: 0 success, 1 failure, 2 wrong usage.`

export function addRemoteOptions(command: Command): Command {
  return command
    .option('--url <url>', 'a running Terce server (default: TERCE_URL, else DATABASE_URL)')
    .option('--key <key>', 'API key for the server (default: TERCE_API_KEY)')
}

/** The address of the server; null for the database of DATABASE_URL. */
export function serverOf({ url = '' }: RemoteOptions, env: Entry['env']): string | null {
  const given = url || env.TERCE_URL?.trim()
  if (!given) return null
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ConfigError([
      `${url ? '--url' : 'TERCE_URL'} ${given} is not usable. Use an address such as http://localhost:3000.`,
    ])
  return given
}

export async function withRemote<T>(
  options: RemoteOptions,
  { env }: Entry,
  work: (remote: Remote) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const url = serverOf(options, env)
  const key = options.key ?? (env.TERCE_API_KEY?.trim() || undefined)
  try {
    if (url === null) return await withDatabase(readConfig(env), work)
    return await work({
      client: createClient({ url, key, fetch: fetchFrom(url, timeoutMs), retries: 0 }),
      where: url,
      local: null,
    })
  } catch (error) {
    throw error instanceof TerceError ? commandError(error, key) : error
  }
}

/** Rewords an API error for a user who gave options, not request fields. */
function commandError(error: TerceError, key: string | undefined): Error {
  const { code, status, title, detail, problems } = error
  if (code === 'UNAUTHORIZED')
    return new Error(
      `${key ? 'The API key is invalid, expired or revoked.' : 'API key required.'} Set TERCE_API_KEY or pass --key. Create one on the server with terce keys create.`,
    )
  if (status === 400 && problems.length > 0)
    return new ConfigError(problems.map(({ field, message }) => `${field}: ${message}`))
  // The detail alone may only say what to do: "GET /channel lists the channels."
  return new Error(`${title} ${detail} (${code})`.trimStart())
}

async function withDatabase<T>(config: Config, work: (remote: Remote) => Promise<T>): Promise<T> {
  const { localApp } = await import('./local-app.ts')
  const database = await openForCommand(config.database, { instead: 'TERCE_URL for a running server' })
  try {
    const app = localApp(config, database)
    const fetch: Fetch = async (url, init) => app.fetch(new Request(url, init))
    const client = createClient({ url: 'http://localhost', fetch, retries: 0 })
    return await work({ client, where: describeDatabase(config.database), local: { config, database } })
  } finally {
    await database.close()
  }
}

const TIMEOUT_MS = 60_000

function fetchFrom(url: string, timeoutMs: number): Fetch {
  return async (address, init) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    try {
      return await fetch(address, { ...init, signal: AbortSignal.any(signals) })
    } catch (error) {
      if (init.signal?.aborted) throw error
      const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
      const why = name === 'TimeoutError' ? 'timed out' : cause?.code || cause?.message || message
      throw new Error(`Cannot reach ${url}: ${why}. Check that Terce is running, and --url or TERCE_URL.`)
    }
  }
}
