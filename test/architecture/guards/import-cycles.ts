// No file imports itself by way of others. Type imports count: a cycle of types is a missing file all the same.
import { importedPaths } from '../support/imports.ts'
import { isScript, type SourceFile } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

export const IMPORT_CYCLES: Guard = {
  rule: 'no file imports itself, directly or through other files',
  check(files) {
    return cyclesAmong(files).map((cycle) => `${cycle.join(' → ')} → ${cycle[0]}`)
  },
  planted: [
    {
      violation: 'two files that import each other',
      tree: {
        'src/engine/a.ts': "import { b } from './b.ts'",
        'src/engine/b.ts': "import { a } from './a.ts'",
      },
      reported: ['src/engine/a.ts → src/engine/b.ts → src/engine/a.ts'],
    },
    {
      violation: 'a cycle of three files that is closed by a type import',
      tree: {
        'web/src/panel.tsx': "import { Tasks } from './tasks.tsx'",
        'web/src/tasks.tsx': "import { line } from './line.ts'",
        'web/src/line.ts': "import type { Panel } from './panel.tsx'",
      },
      reported: ['web/src/line.ts → web/src/panel.tsx → web/src/tasks.tsx → web/src/line.ts'],
    },
    {
      violation: 'a cycle through a re-export',
      tree: {
        'src/ports/a.ts': "export * from './b.ts'",
        'src/ports/b.ts': "export type { A } from './a.ts'",
      },
      reported: ['src/ports/a.ts → src/ports/b.ts → src/ports/a.ts'],
    },
  ],
}

/** One shortest cycle for each group of files that reach each other. */
function cyclesAmong(files: readonly SourceFile[]): string[][] {
  const scripts = files.filter(isScript)
  const known = new Set(scripts.map((file) => file.path))
  const imports = new Map(
    scripts.map((file) => [file.path, importedPaths(file).filter((path) => known.has(path))]),
  )
  const inCycle = new Set<string>()
  const cycles: string[][] = []
  for (const path of [...known].sort()) {
    if (inCycle.has(path)) continue
    const cycle = shortestWayBack(path, imports)
    if (cycle === undefined) continue
    for (const member of cycle) inCycle.add(member)
    cycles.push(cycle)
  }
  return cycles
}

function shortestWayBack(
  start: string,
  imports: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const path of queue) {
    for (const target of imports.get(path) ?? []) {
      if (target === start) return wayTo(path, start, cameFrom)
      if (cameFrom.has(target)) continue
      cameFrom.set(target, path)
      queue.push(target)
    }
  }
  return undefined
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end]
  while (way[0] !== start) way.unshift(cameFrom.get(way[0]!)!)
  return way
}
