// A project that has Terce installed. Its modules resolve by name to the sources, not to an old build.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { type Ran, run } from '../../cli/support/run-command.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The exports of the package, from the sources instead of dist. */
function sourceExports(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const modules = Object.entries<{ default: string }>(exports).filter(([, entry]) => entry.default)
  const source = (file: string) => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')
  return Object.fromEntries(modules.map(([name, entry]) => [name, source(entry.default)]))
}

/** Packages that the tests of Terce install under other names. */
const INSTALLED_AS: Record<string, string> = { knex: 'test-knex', kysely: 'test-kysely' }

export type Project = {
  path: string
  /** Copies an example folder into the project. */
  copy(example: string): void
  /** Installs packages that Terce itself is tested with. */
  install(...names: string[]): void
  /** Runs a module by its source text or its name. */
  run(module: string, env?: Record<string, string>): Promise<Ran>
}

export function useProject(): Project {
  const project = { path: '' }
  beforeEach(() => {
    project.path = mkdtempSync(join(tmpdir(), 'terce-project-'))
    const installed = join(project.path, 'node_modules/terce')
    mkdirSync(installed, { recursive: true })
    writeFileSync(
      join(installed, 'package.json'),
      JSON.stringify({ name: 'terce', type: 'module', exports: sourceExports() }),
    )
    // Node resolves the link first; it does not strip types under node_modules.
    symlinkSync(join(ROOT, 'src'), join(installed, 'src'))
    writeFileSync(join(project.path, 'package.json'), '{"type":"module"}')
  })
  afterEach(() => rmSync(project.path, { recursive: true }))
  return Object.assign(project, {
    copy: (example: string) => cpSync(join(ROOT, 'examples', example), project.path, { recursive: true }),
    install: (...names: string[]) => {
      for (const name of names) {
        const link = join(project.path, 'node_modules', name)
        mkdirSync(dirname(link), { recursive: true })
        symlinkSync(join(ROOT, 'node_modules', INSTALLED_AS[name] ?? name), link)
      }
    },
    run: (module: string, env: Record<string, string> = {}) => {
      const isName = /^[\w./-]+\.ts$/.test(module)
      if (!isName) writeFileSync(join(project.path, 'main.ts'), module)
      return run(process.execPath, [isName ? module : 'main.ts'], { cwd: project.path, env })
    },
  })
}
