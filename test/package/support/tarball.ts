// Packs copies of this checkout, and installs the tarball in an empty folder, without a network.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyCheckout, installedPackages, linkAllPackages, ROOT, shellEnv } from './checkout.ts'

const run = promisify(execFile)

export type Tarball = { file: string; integrity: string; bytes: number; paths: string[] }

/** Runs `npm pack` in a copy of this checkout, which builds it. `modes`: of all its files, as chmod writes them. */
export async function packCopy(folder: string, { modes = '' } = {}): Promise<Tarball> {
  mkdirSync(folder, { recursive: true })
  copyCheckout(folder)
  if (modes !== '') await run('chmod', ['-R', modes, folder])
  linkAllPackages(folder)
  return pack(folder, folder)
}

/** This checkout with the build that `npm ci` has made, or a new build in `folder` if a source has changed since. */
export async function builtCheckout(folder: string): Promise<string> {
  if (isBuilt()) return ROOT
  mkdirSync(folder, { recursive: true })
  copyCheckout(folder)
  linkAllPackages(folder)
  await run('npm', ['run', 'build'], { cwd: folder, env: shellEnv() })
  return folder
}

function isBuilt(): boolean {
  if (!existsSync(join(ROOT, 'dist/web/index.html'))) return false
  const builtAt = statSync(join(ROOT, 'dist/web/index.html')).mtimeMs
  const compiled = globSync('dist/**/*.js', { cwd: ROOT, exclude: ['dist/web'] })
  const sources = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.d.ts'] })
  const inputs = globSync(['src/**', 'web/**', 'scripts/**', '*.json'], { cwd: ROOT })
  return (
    compiled.length === sources.length && inputs.every((name) => statSync(join(ROOT, name)).mtimeMs < builtAt)
  )
}

/** Packs what is there. */
export function packBuilt(folder: string, destination: string): Promise<Tarball> {
  return pack(folder, destination, ['--ignore-scripts'])
}

async function pack(folder: string, destination: string, options: string[] = []): Promise<Tarball> {
  mkdirSync(destination, { recursive: true })
  const args = ['pack', '--json', '--pack-destination', destination, ...options]
  const { stdout } = await run('npm', args, { cwd: folder, env: shellEnv(), maxBuffer: 1e7 })
  const [{ filename, files }] = JSON.parse(stdout)
  const file = join(destination, filename)
  const bytes = readFileSync(file)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return { file, integrity, bytes: bytes.length, paths: files.map(({ path }: { path: string }) => path) }
}

/** The files of the tarball in a folder of their own. */
export async function unpack({ file }: Tarball, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await run('tar', ['xzf', file, '-C', folder, '--strip-components=1'])
}

/**
 * Installs a tarball with npm. The versions and hashes are those of this checkout, so that after `npm ci` the cache of npm has
 * every package; a bare machine fetches them.
 */
export async function install({ file, integrity }: Tarball, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { stdout } = await run('tar', ['xzOf', file, 'package/package.json'])
  const manifest = JSON.parse(stdout)
  const { name, version, dependencies, optionalDependencies, bin } = manifest
  const root = { name: 'project', dependencies: { [name]: `file:${file}` } }
  const own = { version, resolved: `file:${file}`, integrity, dependencies, optionalDependencies, bin }
  const others = dependencies === undefined ? {} : installedPackages()
  const packages = { '': root, [`node_modules/${name}`]: own, ...others }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
  const lock = { name: root.name, lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', args, { cwd: folder, env: shellEnv() })
}

/** What a folder takes on the disk. */
export function megabytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return files.reduce((sum, file) => sum + statSync(file).blocks * 512, 0) / 1e6
}
