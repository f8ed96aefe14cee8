// `terce all`, `terce api` and `terce worker`: start what was asked for, stop it on a signal.
import { readConfig } from '../../runtimes/config/config.ts'
import { VERSION } from '../../runtimes/config/version.ts'
import type { Role, Running } from '../../runtimes/node/node.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { describeDatabase } from '../output/describe-database.ts'

export const addServe: AddCommand = (program, { env }) => {
  program
    .command('all', { isDefault: true })
    .description('API, scheduler and worker in one process (the default)')
    .action(() => start('all', env))
  program
    .command('api')
    .description('only the API')
    .action(() => start('api', env))
  program
    .command('worker')
    .description('only the scheduler and the worker')
    .action(() => start('worker', env))
}

async function start(role: Role, env: Entry['env']): Promise<void> {
  const config = readConfig(env)
  // Loaded only now: --help and a wrong setting need not wait for the whole product.
  const { startNode } = await import('../../runtimes/node/node.ts')
  const running = await startNode(config, role)
  console.error(banner(running, role, describeDatabase(config.database)))
  stopOnSignal(running)
}

function banner(
  { address, open, metricsAddress, target, tzVersion }: Running,
  role: Role,
  database: string,
): string {
  const lines = [
    `Terce ${VERSION}${address === null ? '' : ` listens on ${address}`}`,
    `  database   ${database}`,
    `  timezones  IANA ${tzVersion}`,
  ]
  if (role === 'api') lines.push('  delivers   nothing: that is for terce worker')
  else if (target === null) lines.push('  delivers   to the default channel; until there is one, events wait')
  else if (hideQuery(target) === `${address}/inbox`)
    lines.push(`  delivers   to its own inbox, ${address}/inbox, until WEBHOOK_URL is set`)
  else lines.push(`  delivers   to ${hideQuery(target)}`)
  if (metricsAddress !== null) lines.push(`  metrics    ${metricsAddress}`)
  if (address !== null) {
    const callers = open
      ? 'whoever is on this machine, until there is an API key: terce keys create'
      : 'with an API key'
    lines.push(`  lets in    ${callers}`, `  look at    ${address}/app/`)
  }
  return lines.join('\n')
}

/** An address to deliver to may carry a token. */
function hideQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function stopOnSignal(running: Running): void {
  let stopping = false
  const onSignal = () => {
    // A second signal means now.
    if (stopping) process.exit(1)
    stopping = true
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
