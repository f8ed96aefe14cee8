// `terce keys`: creates, lists and revokes API keys in the database of DATABASE_URL, and changes the key of channel secrets.
import { InvalidArgumentError } from 'commander'
import { createKey, type KeysDeps } from '../../app/access/api-keys.ts'
import { type ApiKey, parseKeyName, RANGES_MAX, SCOPES, type Scope } from '../../domain/access/api-key.ts'
import { parseIpRange } from '../../domain/access/ip-address.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant, instantOrNull } from '../../domain/time/timestamp.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { auditCli } from '../audit.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'
import { addReseal } from './keys-reseal.ts'

type CreateOptions = {
  name: string
  scope: Scope
  expires?: number
  from?: string[]
  dryRun?: true
  json?: true
}

export const addKeys: AddCommand = (program, { env }) => {
  const keys = program.command('keys').description('manage API keys and the encryption of secrets')
  const json = ['--json', 'print one JSON object per line'] as const

  keys
    .command('create')
    .description('create a key and print it once')
    .requiredOption('--name <name>', 'name of the key', parseName)
    .requiredOption('--scope <scope>', `permissions: ${SCOPES.join(', ')}`, parseScope)
    .option('--expires <time>', 'how long the key is accepted, such as 90d (default: for ever)', parseExpiry)
    .option(
      '--from <ranges>',
      'addresses that it is accepted from, such as 10.0.0.0/8 (default: any)',
      addRanges,
    )
    .option('--dry-run', 'only print what would be created')
    .option(...json)
    .action(({ expires, from, ...options }: CreateOptions) =>
      // The first key may be created before the first start.
      withKeys({ env, creates: true }, async (deps, audit) => {
        if (options.dryRun) return previewKey(deps, options)
        const expiresAt = expires === undefined ? null : deps.clock.now() + expires
        const { key, record } = await createKey(deps, { ...options, expiresAt, allowedFrom: from ?? [] })
        const { id, scope } = record
        await audit({ action: 'key.created', object: { kind: 'key', id }, details: { scope } })
        if (options.json) return print({ ...shown(record), key, dryRun: false })
        console.log(key)
        console.error(`Key ${record.id} (${record.scope}) created. It will not be shown again.`)
      }),
    )

  keys
    .command('list')
    .description('list all keys, including revoked ones')
    .option(...json)
    .action((options: { json?: true }) =>
      withKeys({ env }, async ({ store }) => {
        const all = await store.listApiKeys()
        for (const key of all) {
          if (options.json) print(shown(key))
          else console.log(line(key))
        }
        if (all.length === 0) console.error('There are no keys. terce keys create creates one.')
      }),
    )

  keys
    .command('revoke <id>')
    .description('revoke a key')
    .option('--dry-run', 'only print which key would be revoked')
    .option(...json)
    .action((given: string, options: { dryRun?: true; json?: true }) =>
      withKeys({ env }, async ({ store, clock }, audit) => {
        const id = parseUuid(given)
        const found = (await store.listApiKeys()).find((key) => key.id === id && key.revokedAt === null)
        if (options.dryRun && found !== undefined) {
          if (options.json) return print({ ...shown(found), dryRun: true })
          return console.error(`Key ${found.id} (${found.scope}, ${found.name}) would be revoked.`)
        }
        const now = clock.now()
        if (found === undefined || !(await store.revokeApiKey(found.id, now)))
          throw new Error(`No active key ${given.slice(0, 60)}. Run terce keys list to see the keys.`)
        await audit({ action: 'key.revoked', object: { kind: 'key', id: found.id } })
        if (options.json) return print({ id, revokedAt: formatInstant(now), dryRun: false })
        console.error(`Key ${id} revoked. Running processes notice within 5 s.`)
      }),
    )

  addReseal(keys, env)
}

/** The first key matters most: until it exists, this machine needs no key. */
async function previewKey(
  { store }: KeysDeps,
  { name, scope, json }: { name: string; scope: Scope; json?: true },
): Promise<void> {
  const first = (await store.listApiKeys()).length === 0
  if (json) return print({ name, scope, first, dryRun: true })
  const then = first ? ' It would be the first key: after that, every caller needs one.' : ''
  console.error(`Would create key "${name}" with scope ${scope}.${then}`)
}

type Work = (
  deps: KeysDeps,
  audit: (record: Parameters<typeof auditCli>[1]) => Promise<void>,
) => Promise<void>

async function withKeys(
  { env, creates = false }: { env: Entry['env']; creates?: boolean },
  work: Work,
): Promise<void> {
  const config = readConfig(env)
  const { auditCli } = await import('../audit.ts')
  const { keysOf } = await import('../../runtimes/shared/access.ts')
  const database = await openForCommand(config.database, { creates })
  try {
    await work(keysOf(database), (record) => auditCli(database, record))
  } finally {
    await database.close()
  }
}

function shown({ hash: _, ...key }: ApiKey) {
  const { createdAt, lastUsedAt, revokedAt, expiresAt } = key
  return {
    ...key,
    createdAt: instantOrNull(createdAt),
    lastUsedAt: instantOrNull(lastUsedAt),
    revokedAt: instantOrNull(revokedAt),
    expiresAt: instantOrNull(expiresAt),
  }
}

function line({ id, scope, name, lastUsedAt, revokedAt, expiresAt, allowedFrom }: ApiKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${formatInstant(lastUsedAt)}`
  return [
    id,
    scope.padEnd(5),
    name,
    revokedAt === null ? used : `revoked ${formatInstant(revokedAt)}`,
    ...(expiresAt === null ? [] : [`expires ${formatInstant(expiresAt)}`]),
    ...(allowedFrom.length === 0 ? [] : [`from ${allowedFrom.join(',')}`]),
  ].join('  ')
}

function print(value: unknown): void {
  console.log(JSON.stringify(value))
}

function parseName(value: string): string {
  const name = parseKeyName(value)
  if (name.problem !== null) throw new InvalidArgumentError(name.problem)
  return name.value
}

function parseScope(value: string): Scope {
  const scope = SCOPES.find((one) => one === value)
  if (scope === undefined) throw new InvalidArgumentError(`Use one of ${SCOPES.join(', ')}.`)
  return scope
}

function parseExpiry(value: string): number {
  const ms = parseShortDuration(value)
  if (!ms) throw new InvalidArgumentError('Use a duration such as 90d.')
  return ms
}

/** The option may be repeated, and have several ranges with commas between. */
function addRanges(value: string, before: string[] = []): string[] {
  const ranges = [...before, ...value.split(',').map((range) => range.trim())]
  if (ranges.length > RANGES_MAX || ranges.some((range) => parseIpRange(range) === null))
    throw new InvalidArgumentError(`Use up to ${RANGES_MAX} addresses or ranges such as 10.0.0.0/8.`)
  return ranges
}
