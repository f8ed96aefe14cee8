// The `terce` command: reads the command line and the environment, starts what was asked for, stops it on a signal.
import { Command } from 'commander'
import { type Config, ConfigError, parseDuration, readConfig } from '../runtimes/config.ts'
import type { Role, Running } from '../runtimes/node.ts'
import { VERSION } from '../runtimes/version.ts'

const program = new Command('terce')
  .description('Delivers a message to each person at 09:00 their time, once, whatever breaks.')
  .version(VERSION)
  .addHelpText(
    'after',
    '\nEverything is configured by environment variables: PORT, HOST, DATABASE_URL, WEBHOOK_URL, DELIVER_AT, …\n' +
      'docs/operate.md lists them all.',
  )

program
  .command('all', { isDefault: true })
  .description('API, scheduler and worker in one process (the default)')
  .action(() => start('all'))
program
  .command('api')
  .description('only the API')
  .action(() => start('api'))
program
  .command('worker')
  .description('only the scheduler and the worker')
  .action(() => start('worker'))
program
  .command('migrate')
  .description('bring the database to the newest schema, and stop')
  .action(async () => {
    const { database } = readConfig(process.env)
    const { migrateDatabase } = await import('../runtimes/database.ts')
    await migrateDatabase(database)
    console.error(`${describeDatabase(database)} has the newest schema.`)
  })

program
  .command('prune')
  .description('remove settled events of long ago, with their attempts; the latest of each occasion stays')
  .requiredOption('--older-than <time>', 'how long ago, such as 90d')
  .action(async ({ olderThan }: { olderThan: string }) => {
    const ageMs = parseDuration(olderThan)
    if (ageMs === undefined)
      throw new ConfigError([`--older-than ${olderThan} is not usable. Give a time such as 90d.`])
    const { database } = readConfig(process.env)
    const { openDatabase } = await import('../runtimes/database.ts')
    const { pruneHistory } = await import('../flow/prune.ts')
    const { store, clock, close } = await openDatabase(database, (error) => {
      throw error
    })
    const onTerminal = process.stderr.isTTY
    const removed = await pruneHistory(store, clock.now() - ageMs, (count) => {
      if (onTerminal) process.stderr.write(`\r${count} removed`)
    })
    if (onTerminal) process.stderr.write('\r')
    console.error(`${removed} settled events removed.`)
    await close()
  })

async function start(role: Role): Promise<void> {
  const config = readConfig(process.env)
  if (role === 'worker' && config.webhookUrl === null) {
    throw new ConfigError([
      'WEBHOOK_URL is not set. A worker alone has no inbox: give the address to deliver to.',
    ])
  }
  // Loaded only now: --help and a wrong setting need not wait for the whole product.
  const { startNode } = await import('../runtimes/node.ts')
  const running = await startNode(config, role)
  console.error(banner(running, role, describeDatabase(config.database)))
  stopOnSignal(running)
}

function banner({ address, target, tzVersion }: Running, role: Role, database: string): string {
  const lines = [
    `Terce ${VERSION}${address === null ? '' : ` listens on ${address}`}`,
    `  database   ${database}`,
    `  timezones  IANA ${tzVersion}`,
  ]
  if (role === 'api') lines.push('  delivers   nothing: that is for terce worker')
  else if (target === `${address}/inbox`)
    lines.push(`  delivers   to its own inbox, ${target}, until WEBHOOK_URL is set`)
  else lines.push(`  delivers   to ${hideQuery(target)}`)
  if (address !== null) lines.push(`  look at    ${address}/docs`)
  return lines.join('\n')
}

/** Where the data is, without the password. */
function describeDatabase(database: Config['database']): string {
  if (database.kind === 'sqlite') return database.path
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
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

try {
  const [word] = process.argv.slice(2)
  const known = ['help', ...program.commands.map((command) => command.name())]
  // With a default command, commander takes a misspelt one for its argument.
  if (word !== undefined && !word.startsWith('-') && !known.includes(word)) {
    throw new ConfigError([`There is no command "${word}". terce --help lists them.`])
  }
  await program.parseAsync()
} catch (error) {
  for (const line of explain(error as NodeJS.ErrnoException).split('\n')) console.error(`terce: ${line}`)
  process.exit(error instanceof ConfigError ? 2 : 1)
}

function explain({ code, syscall, message }: NodeJS.ErrnoException): string {
  const { PORT = '3000', HOST = '127.0.0.1' } = process.env
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return message
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${PORT} is taken by another program. Set PORT to a free one.`
    case 'EACCES':
      return `Port ${PORT} is not for this user. Set PORT to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${HOST} is no address of this machine. Leave it out, or give one that is.`
    default:
      return message
  }
}
