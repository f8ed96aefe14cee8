// `terce login` and `terce logout`: store and delete the server and the key that commands use.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Client, TerceError } from '../../client/client.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { writeFile } from '../output/write-file.ts'
import { type RemoteOptions, withRemote } from '../remote.ts'
import { loginFile } from './stored-login.ts'

const HELP = `
The URL and the key are stored in a file that only you can read, in ~/.config/terce. Commands use them unless --url, TERCE_URL
or DATABASE_URL is set. The key is read from --key, from TERCE_KEY, or from the terminal.

Examples:
  terce login https://terce.example.com
  terce logout`

export const addLogin: AddCommand = (program, entry) => {
  program
    .command('login <url>')
    .description('store the URL and the API key of a server for later commands')
    .option('--key <key>', 'API key for the server (default: TERCE_KEY, else it is asked for)')
    .addHelpText('after', HELP)
    .action(async (given: string, options: RemoteOptions) => {
      // The address of the dashboard is accepted too.
      const url = given.replace(/\/app\/?$/, '')
      const file = loginFile(entry.env)
      if (file === null)
        throw new ConfigError(['There is no home folder. Set TERCE_URL and TERCE_KEY instead.'])
      const key = options.key ?? (entry.env.TERCE_KEY?.trim() || (await askKey()))
      const login = { url, ...(key && { key }) }
      const { open, scope } = await withRemote(login, entry, ({ client }) => readSession(url, client))
      if (!open && scope === null)
        throw new Error(
          key
            ? `${url} does not accept the key. Nothing was stored.`
            : `${url} needs a key. Set TERCE_KEY or pass --key. Nothing was stored.`,
        )
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(file, [JSON.stringify(login)])
      console.log(`Commands use ${url} now${scope === null ? '' : `, with the scope ${scope}`}.`)
    })

  program
    .command('logout')
    .description('delete the URL and the API key that terce login stored')
    .action(() => {
      const file = loginFile(entry.env)
      if (file !== null) rmSync(file, { force: true })
      console.log('Commands use the database of DATABASE_URL now.')
    })
}

async function readSession(url: string, client: Client) {
  const session = await client.get('/session').catch((error) => {
    if (error instanceof TerceError && error.code.startsWith('HTTP_')) return null
    throw error
  })
  if (session?.scope === undefined) throw new Error(`${url} is not a Terce server. Nothing was stored.`)
  return session
}

/** Empty for a server that needs no key. */
async function askKey(): Promise<string> {
  if (!process.stdin.isTTY) return ''
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question('API key (empty for none): ')).trim()
  } finally {
    terminal.close()
  }
}
