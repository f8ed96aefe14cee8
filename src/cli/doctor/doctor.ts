// `terce doctor`: checks everything that delivery depends on, and suggests a remedy for each problem.
import { type Config, ConfigError, readConfig } from '../../runtimes/config/config.ts'
import { isKeyFileDenied, serverConfig } from '../../runtimes/node/server-config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { misspeltSettings } from '../misspelt.ts'
import { type Paint, paintFor } from '../output/colour.ts'
import { addRemoteOptions, type RemoteOptions, serverOf, withRemote } from '../remote.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkService } from './check-service.ts'

const HELP = `
Checks more on a database than on a server, which does not expose its settings. Changes nothing: pending migrations are not
applied, and then the remaining checks are skipped.

Exit codes: 0 no check fails (there may be warnings), 1 a check fails, 2 wrong usage.`

export const addDoctor: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('doctor').description('check the installation'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async (options: RemoteOptions & { json?: true }) => {
      const checks =
        serverOf(options, entry.env) === null ? await examine(entry) : await examineServer(options, entry)
      const failing = checks.filter(({ state }) => state === 'fail').length
      if (options.json) console.log(JSON.stringify({ ok: failing === 0, checks }))
      else for (const check of checks) console.log(inLines(check, paintFor(process.stdout)))
      if (failing > 0) throw new Error(`${failing === 1 ? '1 check' : `${failing} checks`} failed.`)
    })
}

async function examine(entry: Entry): Promise<Check[]> {
  let config: Config
  try {
    const given = readConfig(entry.env)
    config = isKeyFileDenied(given) ? given : serverConfig(given)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => fail('settings', line, 'See docs/settings.md.'))
  }
  const { checkDatabase } = await import('./check-database.ts')
  const checks = [...checkNames(entry.env), ...(await checkDatabase(config.database))]
  const { checkCopy } = await import('./check-copy.ts')
  if (checks.every(({ name, state }) => name !== 'schema' || state === 'ok'))
    checks.push(...(await checkCopy(config.database).catch(() => [])))
  const usable = checks.every(({ name, state }) => state === 'ok' || !['database', 'schema'].includes(name))
  if (!usable)
    return [...checks, warn('the rest', 'Not checked.', 'Fix the above and run terce doctor again.')]
  const { checkLedger } = await import('../ledger/check-ledger.ts')
  const { checkEnqueued } = await import('../enqueue.ts')
  const { checkSettings } = await import('./check-settings.ts')
  const rest = await withRemote({}, entry, async ({ client, local }) => [
    ...(await checkService(client, { leaseMs: config.leaseMs, database: local!.database })),
    ...(await checkEnqueued(local!.database)),
    ...(await checkSettings(config, local!.database)),
    await checkLedger(client),
  ])
  return [...checks, ...rest]
}

function checkNames(env: Entry['env']): Check[] {
  const misspelt = misspeltSettings(env)
  if (misspelt.length === 0) return [ok('settings', 'Valid.')]
  return misspelt.map(({ name, meant }) =>
    warn('settings', `${name} is not a setting.`, `Did you mean ${meant}?`),
  )
}

function examineServer(options: RemoteOptions, entry: Entry): Promise<Check[]> {
  return withRemote(options, entry, async ({ client, where }) => {
    try {
      await client.get('/readyz')
    } catch (error) {
      return [fail('server', `${where}: ${(error as Error).message}`, 'Check its log.')]
    }
    const before = Date.now()
    const { now } = await client.get('/today')
    const skewMs = Date.parse(now) - (before + Date.now()) / 2
    const { version } = await client.get('/session')
    const { checkClock } = await import('./check-database.ts')
    const { checkLedger } = await import('../ledger/check-ledger.ts')
    return [
      ok('server', `${where} is ready (Terce ${version}).`),
      checkClock(skewMs, 'the server'),
      ...(await checkService(client, null)),
      await checkLedger(client),
    ]
  })
}

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function inLines({ name, state, text, remedy }: Check, paint: Paint): string {
  const line = `${paint(STYLES[state], state.padEnd(4))}  ${name.padEnd(10)}  ${text}`
  return remedy === null ? line : `${line}\n${' '.repeat(18)}${remedy}`
}
