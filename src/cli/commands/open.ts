// `terce open`: prints the address of the dashboard, and opens it in the browser.
import { spawn } from 'node:child_process'
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { serverOf } from '../remote.ts'

const HELP = `
The address is that of --url or TERCE_URL, else of terce login unless DATABASE_URL is set, else PUBLIC_URL, else PORT on this
machine. It is printed too, and only printed if the output is not a terminal.`

export const addOpen: AddCommand = (program, { env }) => {
  program
    .command('open')
    .description('open the dashboard in the browser')
    .option('--url <url>', 'a running Terce server (default: TERCE_URL)')
    .addHelpText('after', HELP)
    .action((options: { url?: string }) => {
      const address = `${(serverOf(options, env) ?? localServer(env)).replace(/\/+$/, '')}/app/`
      console.log(address)
      if (process.stdout.isTTY) openInBrowser(address)
    })
}

function localServer(env: Entry['env']): string {
  const { publicUrl, port } = readConfig(env)
  return publicUrl ?? `http://localhost:${port}`
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

function openInBrowser(address: string): void {
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [address], {
    detached: true,
    stdio: 'ignore',
  })
  // A machine without a browser: the address is printed.
  opener.on('error', () => {})
  opener.unref()
}
