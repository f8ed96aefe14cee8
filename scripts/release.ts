// npm run release -- VERSION: dates the changelog, packs and verifies both packages, commits and tags. Publishes and pushes nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md']

const HELP = `Usage: npm run release -- VERSION [--dry-run]

  1. requires a clean working tree, a new tag, and entries under "Unreleased" in CHANGELOG.md
  2. writes the version to package.json and package-lock.json, and version and date (UTC) to CHANGELOG.md
  3. packs terce and terce-client, and compares the version in both packages
  4. commits, and adds the tag vVERSION
Before them, npm audit asks the registry for advisories about the packages. A release with one of high severity is rejected, and one
without a response needs --without-audit.
If a step fails, the files are restored, and there is no commit and no tag.

  --dry-run         only the first step; prints the rest
  --without-audit   releases also if the registry does not respond to npm audit`

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' })
const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8')

/** The changelog with the unreleased entries under the version; null if there are none. */
function dateChangelog(text: string, version: string, date: string): string | null {
  const [, before, entries] = /^(.*\n## Unreleased\n)(.*?)(?=\n## |$)/s.exec(text) ?? []
  if (before === undefined || entries === undefined || !/^- /m.test(entries)) return null
  const released = entries.replace(/\nThis will be .*\n/, '')
  return `${before}\n## ${version}, ${date}\n${released}${text.slice(before.length + entries.length)}`
}

function check(version: string): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is not a version such as 1.2.3.`
  if (run('git', 'status', '--porcelain') !== '') return 'The working tree has changes. Commit them first.'
  if (run('git', 'tag', '--list', `v${version}`) !== '') return `The tag v${version} exists.`
  const changelog = read('CHANGELOG.md')
  const announced = /^This will be (.*)\.$/m.exec(changelog)?.[1] ?? version
  if (announced !== version) return `CHANGELOG.md says that this will be ${announced}.`
  return dateChangelog(changelog, version, '') === null ? 'CHANGELOG.md has no unreleased entries.' : null
}

function write(version: string): void {
  for (const file of ['package.json', 'package-lock.json']) {
    const json = JSON.parse(read(file))
    json.version = version
    if (json.packages !== undefined) json.packages[''].version = version
    writeFileSync(`${ROOT}/${file}`, `${JSON.stringify(json, null, 2)}\n`)
  }
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(`${ROOT}/CHANGELOG.md`, dateChangelog(read('CHANGELOG.md'), version, today)!)
}

function pack(version: string): void {
  run('npm', 'pack')
  run('node', 'scripts/pack-client.ts')
  for (const name of ['terce', 'terce-client']) {
    const manifest = JSON.parse(run('tar', '-xOf', `${name}-${version}.tgz`, 'package/package.json'))
    if (manifest.version !== version)
      throw new Error(`${name}-${version}.tgz has version ${manifest.version}.`)
    console.log(`${name}-${version}.tgz`)
  }
}

/** The problem with the packages that Terce is built of; null if no advisory of high severity is known. */
function auditPackages(canBeSkipped: boolean): string | null {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--audit-level=high'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const found = countAdvisories(stdout)
  if (found !== null)
    return found === 0 ? null : `npm audit knows of ${found} packages with advisories of high severity.`
  if (!canBeSkipped) return 'The registry did not respond to npm audit. Try again, or give --without-audit.'
  console.log('npm audit: not checked, the registry did not respond.')
  return null
}

/** Null for a response that has no counts. */
function countAdvisories(text: string): number | null {
  try {
    const { high, critical } = JSON.parse(text).metadata.vulnerabilities
    return high + critical
  } catch {
    return null
  }
}

function release(version: string): void {
  const before = run('git', 'rev-parse', 'HEAD').trim()
  try {
    write(version)
    pack(version)
    run('git', 'commit', '--quiet', '--message', `Release ${version}`, ...FILES)
    run('git', 'tag', '--annotate', '--message', `Terce ${version}`, `v${version}`)
  } catch (error) {
    // The working tree was clean.
    run('git', 'reset', '--quiet', '--hard', before)
    throw error
  }
  console.log(`Tagged v${version}. Publish the two files, and push the commit and the tag.`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    'without-audit': { type: 'boolean' },
  },
})
const [version] = positionals
if (values.help || version === undefined) {
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}
const problem = check(version) ?? (values['dry-run'] ? null : auditPackages(values['without-audit'] === true))
if (problem !== null) {
  console.error(problem)
  process.exit(1)
}
if (values['dry-run'])
  console.log(`Would write ${FILES.join(', ')}, pack both packages, commit, and tag v${version}.`)
else release(version)
