// `terce all`, `terce api` and `terce worker`: start a role, and stop it on a signal.
import { once } from 'node:events'
import { resumeRemedy, withoutQuery } from '../../domain/settings/channel.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import { VERSION } from '../../runtimes/config/version.ts'
import type { Role, Running } from '../../runtimes/node/node.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { describeDatabase } from '../output/words.ts'

export const addServe: AddCommand = (program, { env }) => {
  program
    .command('all', { isDefault: true })
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
  const signal = stopOnSignal()
  // Imported late: --help and a wrong setting need not wait for the whole product to load.
  const { startNode } = await import('../../runtimes/node/node.ts')
  const running = await startNode(config, role, signal).catch((error) => {
    // Nothing was claimed yet, so there is nothing to wait for.
    if (signal.aborted) process.exit(0)
    throw error
  })
  if (!signal.aborted) {
    console.error(banner(running, role, describeDatabase(config.database)))
    await once(signal, 'abort')
  }
  await running.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

function banner(
  { address, open, metricsAddress, target, tzVersion, stopped }: Running,
  role: Role,
  database: string,
): string {
  const lines = [
    `Terce ${VERSION}${address === null ? '' : ` listens on ${address}`}`,
    ...(address === null ? [] : [`  dashboard  ${address}/app/`]),
    `  database   ${database}`,
    `  timezones  IANA ${tzVersion}`,
  ]
  if (role === 'api') lines.push('  delivery   none in this process (run terce worker)')
  else if (target === null) lines.push('  delivery   to the default channel; events wait until there is one')
  else if (withoutQuery(target) === `${address}/inbox`)
    lines.push(`  delivery   to the built-in inbox, ${address}/inbox (set WEBHOOK_URL to change)`)
  else lines.push(`  delivery   to ${withoutQuery(target)}`)
  for (const channel of stopped) {
    const { name, status, statusReason } = channel
    const why = statusReason === null ? '' : ` (${statusReason})`
    const effect = status === 'PAUSED' ? 'its messages wait' : 'its messages fail'
    lines.push(
      `  ${status.toLowerCase().padEnd(9)}  channel ${name}${why}: ${effect}. ${resumeRemedy(channel)}`,
    )
  }
  if (metricsAddress !== null) lines.push(`  metrics    ${metricsAddress}`)
  if (address !== null) {
    lines.push(
      `  access     ${open ? 'this machine only (no API key yet: terce keys create)' : 'with an API key'}`,
    )
  }
  return lines.join('\n')
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
