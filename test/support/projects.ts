// Decides the project of every test file by what the file starts: by its path, or by the modules that it and its helpers import.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { importedNames, pathOf } from '../architecture/support/imports.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Project = 'unit' | 'process' | 'postgres' | 'workerd' | 'browser' | 'simulation' | 'package'

type Rule = { project: Project; under?: readonly string[]; reaches?: readonly string[] }

/** The first rule that fits decides; a file that none fits starts nothing and is a unit test. Long work comes first. */
const RULES: readonly Rule[] = [
  { project: 'package', under: ['test/package/', 'test/deploy/'] },
  { project: 'simulation', under: ['test/simulation/'] },
  { project: 'browser', reaches: ['playwright-core'] },
  { project: 'workerd', reaches: ['miniflare', 'wrangler'] },
  { project: 'postgres', reaches: ['test/support/postgres-server.ts', 'test/support/shared-postgres.ts'] },
  {
    project: 'process',
    reaches: [
      'node:child_process',
      'node:http',
      'node:net',
      'node:tls',
      '@hono/node-server',
      'express',
      'fastify',
      'fauxqs',
      'smtp-server',
    ],
  },
]

export const PROJECTS: readonly Project[] = [...RULES.map(({ project }) => project), 'unit']

/** Every test file by project, relative to the root of the repository. */
export function filesByProject(): Record<Project, string[]> {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).sort()
  const byProject = Object.fromEntries(PROJECTS.map((name) => [name, [] as string[]])) as Record<
    Project,
    string[]
  >
  for (const file of files) byProject[projectOf(file)].push(file)
  return byProject
}

/** `read` returns the text of a file, or null if there is none. */
export function projectOf(file: string, read: (path: string) => string | null = readText): Project {
  const reached = modulesReached(file, read)
  const rule = RULES.find(
    ({ under = [], reaches = [] }) =>
      under.some((folder) => file.startsWith(folder)) || reaches.some((name) => reached.has(name)),
  )
  return rule?.project ?? 'unit'
}

/**
 * The packages and files that a test file imports, and those that its helpers import. Product code is not followed: most of it can
 * start a server, and a test that lets it is found by `nothing-started.ts`.
 */
function modulesReached(
  file: string,
  read: (path: string) => string | null,
  reached = new Set<string>(),
): Set<string> {
  const source = { path: file, text: read(file) ?? '' }
  for (const name of importedNames(source, { types: false })) {
    const module = pathOf(source, name)
    if (reached.has(module)) continue
    reached.add(module)
    if (/^(?:test|scripts)\//.test(module)) modulesReached(module, read, reached)
  }
  return reached
}

const texts = new Map<string, string | null>()

function readText(path: string): string | null {
  if (!texts.has(path)) texts.set(path, existsSync(ROOT + path) ? readFileSync(ROOT + path, 'utf8') : null)
  return texts.get(path)!
}
