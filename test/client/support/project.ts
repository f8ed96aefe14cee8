// A project that has Terce installed. Its modules resolve by name to the sources, not to an old build.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { type Ran, run } from '../../cli/support/run-command.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const PACKAGE = {
  name: 'terce',
  type: 'module',
  exports: {
    '.': './src/index.ts',
    './client': './src/client/client.ts',
    './receiver': './src/receiver/receiver.ts',
    './testing': './src/runtimes/testing/testing.ts',
  },
}

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
    writeFileSync(join(installed, 'package.json'), JSON.stringify(PACKAGE))
    // Node resolves the link first; it does not strip types under node_modules.
    symlinkSync(join(ROOT, 'src'), join(installed, 'src'))
    writeFileSync(join(project.path, 'package.json'), '{"type":"module"}')
  })
  afterEach(() => rmSync(project.path, { recursive: true }))
  return Object.assign(project, {
    copy: (example: string) => cpSync(join(ROOT, 'examples', example), project.path, { recursive: true }),
    install: (...names: string[]) => {
      for (const name of names)
        symlinkSync(join(ROOT, 'node_modules', name), join(project.path, 'node_modules', name))
    },
    run: (module: string, env: Record<string, string> = {}) => {
      const isName = /^[\w./-]+\.ts$/.test(module)
      if (!isName) writeFileSync(join(project.path, 'main.ts'), module)
      return run(process.execPath, [isName ? module : 'main.ts'], { cwd: project.path, env })
    },
  })
}
