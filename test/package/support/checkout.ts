// Copies of this checkout, with all packages or with those that `npm ci --omit=dev` installs.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

type Locked = {
  version: string
  dev?: boolean
  link?: boolean
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export function readLock(): Record<string, Locked> {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
}

/** The entries of the lock file that npm installs with the published package. */
export function installedPackages(): Record<string, Locked> {
  const packages = readLock()
  const places = new Set(placesNeededBy('', packages))
  for (const place of places) for (const needed of placesNeededBy(place, packages)) places.add(needed)
  return Object.fromEntries([...places].map((place) => [place, packages[place]!]))
}

/** The places of a package's dependencies, found as Node finds them: in its own folder, then in the folders above. */
function placesNeededBy(path: string, packages: Record<string, Locked>): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]!
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
      if (packages[place] !== undefined) return [place]
      if (folder === '') return []
    }
  })
}

/** The environment of a shell outside this checkout: `node` is the Node of the machine, and no setting of npm or Vitest is inherited. */
export function shellEnv(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const machine = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { PATH: machine.join(delimiter), HOME }
}

/** Runs the command of a package for development, without colours, which some of them print where `CI` is set. Rejects if it exits with an error. */
export function tool(name: string, args: string[], cwd: string) {
  const env = { ...process.env, NO_COLOR: '1' }
  return promisify(execFile)(join(ROOT, 'node_modules/.bin', name), args, { cwd, env, maxBuffer: 1e7 })
}

/** Copies the files that git tracks or would add. */
export function copyCheckout(folder: string): void {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
  for (const path of list.toString().split('\0').filter(Boolean)) {
    if (!existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
}

export function linkAllPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** Copies the packages that `npm ci --omit=dev` installs, and no others. */
export function copyPackagesWithoutDev(folder: string): void {
  const lock = readLock()
  const places = Object.keys(lock).filter((path) => path !== '' && existsSync(join(ROOT, path)))
  const top = places.filter((path) => !/\/node_modules\//.test(path) && path.startsWith('node_modules/'))
  for (const path of ['node_modules/.bin', ...top.filter((path) => !lock[path]!.dev && !lock[path]!.link)])
    copyLinked(join(ROOT, path), join(folder, path))
  for (const path of places.filter((path) => lock[path]!.dev))
    rmSync(join(folder, path), { recursive: true, force: true })
}

/** Hard links take no space and no time. Across file systems only a copy is possible. */
export function copyLinked(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if (spawnSync('cp', ['-al', from, to]).status === 0) return
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}
