// npm run migration: writes a migration for each dialect from the difference between its schema and its last snapshot.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Not a dependency: a migration is written a few times a year, and its packages take 42 MB. */
const DRIZZLE_KIT = 'drizzle-kit@0.31.11'
/** Below the packages of this checkout, where it finds the ORM. */
const FOLDER = 'node_modules/.cache/drizzle-kit'

const HELP = `Usage: npm run migration -- NAME

Writes migrations/sqlite/000N_NAME.sql and migrations/postgres/000N_NAME.sql where src/stores/tables has changed, with
${DRIZZLE_KIT} from the npm registry. Then add the line "-- oldest release: X.Y.Z", and read CONTRIBUTING.md about schemas.`

const [name] = process.argv.slice(2)
if (name === undefined || name.startsWith('-')) {
  console.log(HELP)
  process.exit(name === '--help' ? 0 : 2)
}
const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' })

run('npm', ['install', '--no-save', '--no-audit', '--prefix', FOLDER, DRIZZLE_KIT])
for (const [dialect, schema, folder] of [
  ['sqlite', 'src/stores/tables/sqlite.ts', 'migrations/sqlite'],
  ['postgresql', 'src/stores/tables/postgres.ts', 'migrations/postgres'],
] as const) {
  const options = ['--dialect', dialect, '--schema', schema, '--out', folder, '--name', name]
  run(`${FOLDER}/node_modules/.bin/drizzle-kit`, ['generate', ...options])
}
