// Opens both sides of a copy, and rejects a copy that cannot succeed before anything is written.
import { existsSync, realpathSync } from 'node:fs'
import { copyIdOf, sourceText } from '../../app/copy.ts'
import { activeSecrets, ENVIRONMENT_CHANNEL, placeOfSecrets } from '../../domain/settings/channel.ts'
import type { CopySource, CopyTarget } from '../../ports/copy.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { createVault } from '../config/vault.ts'
import { addressOf } from './database.ts'
import { nodeClock } from './node-clock.ts'
import { readSchema, type SchemaState } from './schema.ts'
import { keyFileOf } from './server-config.ts'

type Settings = Config['database']

export type Prepared = {
  source: CopySource
  /** Creates a SQLite file if the target is one. */
  openTarget(): Promise<CopyTarget>
  id: string
  to: string
  /** True if the rows that an interrupted copy left are kept. */
  resumes: boolean
}

export async function openSource(settings: Settings): Promise<CopySource> {
  if (settings.kind === 'postgres')
    return (await import('../../stores/postgres/copy.ts')).openPostgresSource(settings)
  if (!existsSync(settings.path))
    throw new ConfigError([`No database at ${settings.path}. Set DATABASE_URL.`])
  return (await import('../../stores/sqlite/copy.ts')).openSqliteSource(settings)
}

/** Throws a ConfigError. Writes nothing. */
export async function prepareCopy(config: Config, target: Settings, newId: () => string): Promise<Prepared> {
  const { database: from } = config
  const [here, to] = [placeOf(from), placeOf(target)]
  if (here === to) throw new ConfigError([`DATABASE_URL and --to are the same database, ${to}.`])
  const source = await openSource(from)
  try {
    await rejectSource(source, from)
    const frozen = await source.frozenText()
    const id = copyIdOf(frozen ?? '') ?? newId()
    if (frozen !== null && frozen !== sourceText(id, to)) throw new ConfigError([`${here}: ${frozen}.`])
    const lost = await source.leftBehind()
    if (lost !== null) throw new ConfigError([`${here} has ${lost}. Let them be applied, or delete them.`])
    const resumes = target.kind === 'sqlite' ? rejectFile(target, id) : await rejectServer(target, id)
    await checkSecrets(source, config)
    const openTarget = async () =>
      target.kind === 'sqlite'
        ? (await import('../../stores/sqlite/copy.ts')).openSqliteTarget(target, id)
        : (await import('../../stores/postgres/copy.ts')).openPostgresTarget(target)
    return { source, openTarget, id, to, resumes }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** The address without password, and the schema that is not the usual one. */
function placeOf(settings: Settings): string {
  if (settings.kind === 'postgres')
    return settings.schema === 'terce' ? addressOf(settings) : `${addressOf(settings)} (${settings.schema})`
  return existsSync(settings.path) ? realpathSync(settings.path) : settings.path
}

async function rejectSource(source: CopySource, settings: Settings): Promise<void> {
  await rejectNewer(settings)
  // Not by the migrations: an export of D1 does not have their record.
  const [missing] = await source.missingColumns()
  if (missing !== undefined)
    throw new ConfigError([
      `${placeOf(settings)} has an older schema, without ${missing}. Run terce migrate on it.`,
    ])
}

async function rejectNewer(settings: Settings): Promise<SchemaState> {
  const schema = await readSchema(settings)
  const newer = schema.unknown.at(-1)
  if (newer === undefined) return schema
  throw new ConfigError([`${placeOf(settings)} has a newer schema (${newer}). Use its release of Terce.`])
}

function rejectFile({ path }: Settings & { kind: 'sqlite' }, id: string): boolean {
  if (existsSync(path)) throw new ConfigError([`${path} exists. Give the name of a new file.`])
  return existsSync(`${path}.copy-${id}`)
}

async function rejectServer(settings: Settings & { kind: 'postgres' }, id: string): Promise<boolean> {
  const place = placeOf(settings)
  const { applied, pending } = await rejectNewer(settings).catch((error: Error) => {
    throw new ConfigError([error.message.replace('DATABASE_URL', '--to')])
  })
  if (applied.length === 0) return false
  if (pending.length > 0)
    throw new ConfigError([`${place} has an older schema. Run terce migrate on it, or drop it.`])
  const target = (await import('../../stores/postgres/copy.ts')).openPostgresSource(settings)
  try {
    const frozen = await target.frozenText()
    if (frozen !== null && copyIdOf(frozen) === id) return true
    if (frozen !== null) throw new ConfigError([`${place} has the rows of another copy. Drop its schema.`])
    for (const table of target.tables)
      if ((await target.count(table)) > 0)
        throw new ConfigError([
          `${place} is not empty: it has ${table.name}. Give an empty database or schema.`,
        ])
    return false
  } finally {
    await target.close()
  }
}

/** The processes on the target have TERCE_SECRET_KEY, and no key file. */
async function checkSecrets(source: CopySource, config: Config): Promise<void> {
  const table = source.tables.find(({ name }) => name === 'channels')!
  const at = (name: string) => table.columns.findIndex((column) => column.name === name)
  const vault = config.secretKeys && createVault(config.secretKeys)
  for (const row of await source.read(table, { skip: 0 })) {
    const [id, settings, secrets] = [row[at('id')], row[at('settings')], row[at('secrets')]] as string[]
    if (id === ENVIRONMENT_CHANNEL) continue
    const place = placeOfSecrets({ id: id!, settings: JSON.parse(settings!) })
    try {
      for (const { sealed } of activeSecrets({ secrets: JSON.parse(secrets!) }, nodeClock.now())) {
        if (vault === null) throw new Error('TERCE_SECRET_KEY is not set.')
        vault.open(sealed, place)
      }
    } catch (error) {
      const file = keyFileOf(config)
      const key = file !== null && existsSync(file) ? `the text of ${file}` : 'the key of the old processes'
      throw new ConfigError([
        `The new processes could not decrypt the secrets of channels: ${(error as Error).message} Set it to ${key}; terce keys reseal changes it later.`,
      ])
    }
  }
}
