// `terce all`, `terce api` and `terce worker`: start a role, and stop it on a signal.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import v8 from 'node:v8'
import { readConfig } from '../../runtimes/config/config.ts'
import type { Role } from '../../runtimes/node/node.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { misspeltSettings } from '../misspelt.ts'
import { bannerText } from '../output/banner.ts'
import { paintFor } from '../output/colour.ts'
import { openTextLog } from '../output/log-text.ts'
import { describeDatabase } from '../output/words.ts'

export const addServe: AddCommand = (program, { env }) => {
  program
    .command('all', { isDefault: true })
    .alias('start')
    .alias('serve')
    .description('run API, scheduler and worker in one process (default)')
    .action(() => start('all', env))
  program
    .command('api')
    .description('run only the API')
    .action(() => start('api', env))
  program
    .command('worker')
    .description('run only the scheduler and the worker')
    .action(() => start('worker', env))
}

async function start(role: Role, env: Entry['env']): Promise<void> {
  const config = readConfig(env)
  const { database, publicUrl, logFormat } = config
  const paint = paintFor(process.stderr)
  for (const { name, meant } of misspeltSettings(env))
    console.error(paint('yellow', `terce: ${name} is not a setting. Did you mean ${meant}?`))
  const isNew = database.kind === 'sqlite' && !existsSync(database.path)
  const signal = stopOnSignal()
  const log = openTextLog(logFormat, process.stdout)
  // Imported late: --help and a wrong setting need not wait for the whole product to load.
  const { startNode } = await import('../../runtimes/node/node.ts')
  const { dashboardProblem } = await import('../../runtimes/node/web-files.ts')
  // A start that moves many events must not hide its log.
  setTimeout(() => log?.release(), 10_000).unref()
  const running = await startNode(config, role, { signal, log: log ?? undefined }).catch((error) => {
    log?.release()
    if (!signal.aborted) throw error
    // Nothing was claimed yet, so there is nothing to wait for.
    console.error('Stopped.')
    process.exit(0)
  })
  // bin/terce.js stops the growth of the young generation during the start. A spike needs it.
  v8.setFlagsFromString('--semi-space-growth-factor=2')
  if (!signal.aborted) {
    // At another address, npm run dev serves the sources of the dashboard.
    const dashboard = publicUrl === null ? dashboardProblem() : null
    const started = { role, database: describeDatabase(database), isNew, publicUrl, dashboard }
    console.error(bannerText(running, started, paint))
    log?.release()
    await once(signal, 'abort')
  }
  // The terminal has printed ^C.
  console.error(`${process.stderr.isTTY ? '\n' : ''}${STOPPING[role]}`)
  setTimeout(giveUp, LONGEST_STOP_MS)
  await running.stop()
  console.error('Stopped.')
  process.exit(0)
}

/** Below the 20 seconds that supervisors should allow. */
const LONGEST_STOP_MS = 18_000

/** Most often the database does not respond. Leases that expire make the events of this process due again. */
function giveUp(): void {
  console.error(
    'Stopped before everything was written. Messages without a stored outcome are sent again when their leases expire.',
  )
  process.exit(1)
}

const MESSAGES = 'Stopping: messages in flight are finished first. Ctrl-C again exits at once.'
const STOPPING: Record<Role, string> = {
  all: MESSAGES,
  worker: MESSAGES,
  api: 'Stopping: requests in flight are finished first. Ctrl-C again exits at once.',
}

/** The signal is aborted by the first SIGTERM or SIGINT. A later one exits at once. */
function stopOnSignal(): AbortSignal {
  const stopping = new AbortController()
  let firstAt = 0
  const onSignal = () => {
    if (!stopping.signal.aborted) {
      firstAt = performance.now()
      stopping.abort()
    } else if (performance.now() - firstAt > REPEATED_MS) process.exit(1)
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    // Replaces the handler of bin/terce.js, which exits while the program is being loaded. Added before the other is removed:
    // without any handler Node drops a signal that it has received and not yet dispatched.
    const early = process.listeners(name)
    process.on(name, onSignal)
    for (const handler of early) process.off(name, handler)
  }
  return stopping.signal
}

/** One Ctrl-C can arrive several times: from the terminal, and forwarded by npm and by bin/terce.js. */
const REPEATED_MS = 500
