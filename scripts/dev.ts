// Starts Terce and its dashboard for work on them, at one address: npm run dev. Vite serves web/ and proxies other paths to Terce.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'vite'
import { readConfig } from '../src/runtimes/config/config.ts'

const HELP = `npm run dev
  Starts Terce and the dashboard. A change in src restarts Terce, a change in web shows in the open page. Ctrl+C ends both.

  PORT            the port to open in a browser on this computer (3000)
  DATABASE_URL    the database, as with npm start (sqlite:./data/terce.db)
  Other settings of Terce apply too, except HOST and PUBLIC_URL.`

const ROOT = `${import.meta.dirname}/..`
/** Not the network: without API keys, a caller on this computer has full rights. */
const HOST = '127.0.0.1'

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, HOST), 'listening')
  return (server.address() as AddressInfo).port
}

/** Waits for a start, so that an open page shows no error. In vain if Terce cannot start: its output says why. */
async function untilTerceListens(port: number): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    const socket = connect(port, HOST)
    const connected = await once(socket, 'connect').catch(() => null)
    socket.destroy()
    if (connected !== null) return
  }
}

function startTerce(env: NodeJS.ProcessEnv): void {
  // launched.js ends Terce if the process that watches it was killed.
  const args = ['--watch', '--watch-preserve-output', 'bin/launched.js']
  const terce = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' })
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      stopping = true
      terce.kill()
    })
  process.on('exit', () => terce.kill())
  terce.on('exit', (code, signal) => {
    if (!stopping) console.error(`dev: Terce ended (${signal ?? code}), so the dashboard ends too.`)
    process.exit(stopping ? 0 : 1)
  })
}

async function main(): Promise<void> {
  const server = new Server()
  const url = `http://${HOST}:${await listen(server, readConfig(process.env).port)}`
  // A free port that Terce has after each restart too.
  const spare = new Server()
  const port = await listen(spare, 0)
  await once(spare.close(), 'close')
  startTerce({ ...process.env, HOST, PORT: String(port), PUBLIC_URL: url })
  process.env.TERCE_URL = `http://${HOST}:${port}`
  // Vite's own server would exit on a signal before Terce has stopped. A cache in web would look like a change of its sources.
  const ownServer = { middlewareMode: true, ws: { server } } as const
  const vite = createServer({ root: `${ROOT}/web`, cacheDir: `${ROOT}/build/vite`, server: ownServer })
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/app')) await untilTerceListens(port)
    ;(await vite).middlewares(request, response)
  })
  await vite
}

if (process.argv.length > 2) {
  console.log(HELP)
  process.exit(process.argv[2] === '--help' ? 0 : 2)
}
await main().catch((error) => {
  const inUse = `Port ${process.env.PORT || 3000} is in use. Set PORT to a free port.`
  console.error(`dev: ${error.code === 'EADDRINUSE' ? inUse : error.message}`)
  process.exit(1)
})
