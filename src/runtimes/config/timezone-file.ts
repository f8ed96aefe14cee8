// Reads a timezone table from a file: newer rules without a newer release of Terce. Rejects a table that is older than the
// built-in one or lacks some of its names.
import { readFileSync } from 'node:fs'
import { isNewer } from '../../domain/time/tz-difference.ts'
import { loadTimezoneTable, type TimezoneTable, tzdb } from '../../domain/time/tzdb.ts'

/** The table, or what is wrong with the file; without a file, the built-in table. */
type TimezoneFile = { table: TimezoneTable | undefined; problem: string }

export function readTimezoneFile(path: string | undefined): TimezoneFile {
  if (path === undefined || path === '') return { table: tzdb, problem: '' }
  try {
    const table = loadTimezoneTable(JSON.parse(readFileSync(path, 'utf8')))
    const problem = whyNot(table)
    return problem === null ? { table, problem: '' } : { table: undefined, problem }
  } catch (error) {
    return { table: undefined, problem: inWords(error as NodeJS.ErrnoException) }
  }
}

function whyNot(table: TimezoneTable): string | null {
  if (isNewer(tzdb.version, table.version)) {
    return `It holds IANA ${table.version}, and ${tzdb.version} is built in. Leave it out.`
  }
  // People may live in a zone that is missing.
  const missing = tzdb.zones().filter((name) => table.canonicalName(name) !== name)
  if (missing.length === 0) return null
  const what =
    missing.length === 1
      ? `1 name of the built-in table: ${missing[0]}`
      : `${missing.length} names of the built-in table, ${missing[0]} among them`
  return `It lacks ${what}. Build it with npm run tzdb.`
}

function inWords({ code, name, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'There is no such file.'
  if (code !== undefined) return `It cannot be read (${code}).`
  return name === 'SyntaxError' ? 'It is not JSON. Build it with npm run tzdb.' : message
}
