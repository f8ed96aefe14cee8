// The settings of the database.
import { whatIsPrivate } from '../../channels/dial/target.ts'
import { type Read, wholeNumber } from './setting-values.ts'

export type DatabaseSetting =
  /** `prefix` is the beginning of every table's name; empty in a file of Terce's own. */
  | { kind: 'sqlite'; path: string; prefix: string }
  | { kind: 'postgres'; url: string; listenUrl: string; connections: number; schema: string }

const TLS = 'A host with a public name needs ?sslmode=verify-full, or disable for plain text.'

export function readDatabase(read: Read): DatabaseSetting {
  return read(
    'DATABASE_URL',
    'sqlite:./data/terce.db',
    databaseUrl({
      connections: read('DATABASE_CONNECTIONS', '10', wholeNumber(2, 1_000), 'Give a number from 2 to 1000.'),
      listenUrl: read(
        'DATABASE_LISTEN_URL',
        null,
        postgresUrl,
        `Give postgres://USER:PASSWORD@HOST/DATABASE. ${TLS}`,
      ),
      schema: read(
        'DATABASE_SCHEMA',
        null,
        schemaName,
        'Give at most 50 lower-case letters, digits and underscores, no digit first and no pg_, such as terce.',
      ),
    }),
    `Give sqlite:PATH, such as sqlite:./data/terce.db, or postgres://USER:PASSWORD@HOST/DATABASE. ${TLS}`,
  )
}

function databaseUrl(given: { connections: number; listenUrl: string | null; schema: string | null }) {
  return (value: string): DatabaseSetting | undefined => {
    // sqlite:PATH or sqlite:///ABSOLUTE; two slashes before a relative path would mean a host.
    const path = /^sqlite:(?:\/\/(?=\/))?((?!\/\/).+)$/.exec(value)?.[1]
    if (path !== undefined)
      return { kind: 'sqlite', path, prefix: given.schema === null ? '' : `${given.schema}_` }
    const url = postgresUrl(value)
    if (url === undefined) return undefined
    const { listenUrl, connections, schema } = given
    return { kind: 'postgres', url, listenUrl: listenUrl ?? url, connections, schema: schema ?? 'terce' }
  }
}

/** Short enough for the names that are made from it, and written without quotes. */
function schemaName(value: string): string | undefined {
  return /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,49}$/.test(value) ? value : undefined
}

function postgresUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, searchParams } = new URL(value)
  // The driver would look up a list of hosts as one name, and the process would wait for it.
  const isList = `${hostname}${searchParams.getAll('host')}`.includes(',')
  if (!/^postgres(ql)?:$/.test(protocol) || isList) return undefined
  // Plain text needs no word on this machine and on networks whose names and addresses are private.
  const host = (searchParams.getAll('host').at(-1) ?? hostname).toLowerCase()
  // Without a host the driver takes that of PGHOST, which is not checked here.
  if (host === '') return undefined
  const isSocket = /^(\/|%2f)/i.test(host)
  const saysTls = searchParams.has('sslmode') || searchParams.has('ssl')
  return isSocket || saysTls || whatIsPrivate(host) !== null ? value : undefined
}
