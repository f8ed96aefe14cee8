// `terce login` and `terce logout`: store and delete the server and the key that commands use.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
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
    .action(async (url: string, options: RemoteOptions) => {
      const file = loginFile(entry.env)
      if (file === null)
        throw new ConfigError(['There is no home folder. Set TERCE_URL and TERCE_KEY instead.'])
      const key = options.key ?? entry.env.TERCE_KEY?.trim() ?? (await askKey())
      const login = { url, ...(key && { key }) }
      const { open, scope } = await withRemote(login, entry, ({ client }) => client.get('/session'))
      if (!open && scope === null) throw new Error(`${url} does not accept the key. Nothing was stored.`)
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
