// Prints the wall and CPU time of every test file and project, the longest first: `npm run test:profile`.
import type { Reporter, TestModule } from 'vitest/node'

type Row = { name: string; wallMs: number; cpuMs: number; tests: number }

export default class ProfileReporter implements Reporter {
  #startedAt = performance.now()

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(rowOf)
    const projects = new Map<string, Row>()
    for (const [index, { project }] of modules.entries())
      projects.set(project.name, sum(project.name, projects.get(project.name), files[index]!))
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000)
    const lines = [...table('file', files), '', ...table('project', [...projects.values()])]
    process.stdout.write(`${lines.join('\n')}\n\n${modules.length} files in ${seconds} s\n`)
  }
}

function rowOf(module: TestModule): Row {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return {
    name: module.relativeModuleId,
    wallMs: duration + collectDuration + setupDuration,
    cpuMs: module.meta().cpuMs ?? 0,
    tests: [...module.children.allTests()].length,
  }
}

function sum(name: string, a: Row | undefined, b: Row): Row {
  if (a === undefined) return { ...b, name }
  return { name, wallMs: a.wallMs + b.wallMs, cpuMs: a.cpuMs + b.cpuMs, tests: a.tests + b.tests }
}

function table(of: string, rows: readonly Row[]): string[] {
  const inSeconds = (ms: number) => (ms / 1000).toFixed(1).padStart(8)
  return [
    `  wall s   CPU s  tests  ${of}`,
    ...rows
      .toSorted((a, b) => b.cpuMs - a.cpuMs || b.wallMs - a.wallMs)
      .map((row) =>
        [inSeconds(row.wallMs), inSeconds(row.cpuMs), String(row.tests).padStart(6), ` ${row.name}`].join(''),
      ),
  ]
}
