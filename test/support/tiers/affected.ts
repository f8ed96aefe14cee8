// Chooses the long test files that a change can break, by the folders of the changed files.
// The import graph is not used for `src`: nearly every long file reaches a store and so half of `src` (measured: 40 of 58 files for any
// change of the domain), and the files that start the built product import none of it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importedPaths } from '../../architecture/support/imports.ts'

/** Long files that do not mirror one folder of `src`: a change below one of the paths may break them. */
const OUTSIDE_THE_MIRROR: readonly (readonly [tests: string, changed: readonly string[]])[] = [
  ['test/chaos/', ['src/engine/', 'src/stores/', 'src/queues/', 'src/channels/']],
  ['test/deploy/', ['deploy/']],
  ['test/docs/', ['docs/', 'README.md', 'src/library/']],
  ['test/package/', ['package.json', 'package-lock.json', 'scripts/', 'bin/', 'src/client/', 'src/library/']],
  ['test/runtimes/', ['src/engine/', 'src/queues/']],
  ['test/stores/', ['migrations/', 'src/stores/shared/', 'src/stores/tables/', 'test/contracts/']],
  ['test/stores/sqlite/', ['src/stores/sqlite-dialect/']],
  ['test/stores/d1/', ['src/stores/sqlite-dialect/']],
  ['test/web/', ['web/', 'src/http/']],
]

export function isAffected(test: string, changed: readonly string[]): boolean {
  const mirrored = `${posix.dirname(test).replace(/^test\//, 'src/')}/`
  const outside = OUTSIDE_THE_MIRROR.filter(([tests]) => test.startsWith(tests)).flatMap(([, paths]) => paths)
  const own = helpersOf(test)
  return changed.some(
    (path) => own.has(path) || [mirrored, ...outside].some((prefix) => path.startsWith(prefix)),
  )
}

/** The test file and the files of `test` that it imports. */
function helpersOf(file: string, found = new Set<string>()): Set<string> {
  found.add(file)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const path of importedPaths({ path: file, text }))
    if (path.startsWith('test/') && !found.has(path)) helpersOf(path, found)
  return found
}

/** An order that differs for each commit, so that a time limit does not leave out the same files for ever. */
export function ordered(files: readonly string[], commit: string): string[] {
  const rank = (file: string) => createHash('sha256').update(`${commit} ${file}`).digest('hex')
  return files.toSorted((a, b) => rank(a).localeCompare(rank(b)))
}

const HOURS = 4

/**
 * The commit that the change is measured from: the newest one that is some hours older than the last, which is where a day's work
 * began or earlier. Null in a clone without history: everything counts as changed.
 */
export function baseOf(commit: string, git = runGit): string | null {
  const committedAt = Number(git('log', '-1', '--format=%ct', commit))
  return git('rev-list', '-1', `--before=${committedAt - HOURS * 3600}`, commit) || null
}

export function changedSince(base: string | null, git = runGit): string[] {
  return (base === null ? git('ls-files') : git('diff', '--name-only', base, 'HEAD')).split('\n')
}

export function runGit(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 }).trim()
}
