// npm run bench -- library [NODE…]: what `import 'terce'` costs in an application, beside pg-boss: CPU time and memory of a fresh process,
// the least of several. Each further argument is the path of another Node.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RUNS = 5
const PROBE = `const before = process.cpuUsage(); await import(process.argv[1]); const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify([(user + system) / 1000, process.memoryUsage().rss / 1e6]))`

/** The built package, and the installed peer. Interleaved, so that the load of the machine falls on each. */
const MODULES = {
  terce: join(ROOT, 'dist/library/index.js'),
  'terce/testing': join(ROOT, 'dist/library/testing/testing.js'),
  'pg-boss': join(ROOT, 'bench/node_modules/pg-boss/dist/index.js'),
}

function measure(node: string, module: string): readonly [cpuMs: number, megabytes: number] {
  return JSON.parse(execFileSync(node, ['--input-type=module', '-e', PROBE, module], { encoding: 'utf8' }))
}

for (const node of [process.execPath, ...process.argv.slice(2)]) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const found = Object.entries(MODULES).filter(([, module]) => existsSync(module))
  const results = new Map<string, (readonly [number, number])[]>()
  for (let run = 0; run < RUNS; run++)
    for (const [name, module] of found)
      results.set(name, [...(results.get(name) ?? []), measure(node, module)])
  for (const [name, runs] of results) {
    const least = (i: 0 | 1) => Math.round(Math.min(...runs.map((one) => one[i])))
    console.log(`${version} import '${name}': ${least(0)} ms of CPU, ${least(1)} MB`)
  }
}
if (!existsSync(MODULES['pg-boss'])) console.log('pg-boss is not installed: npm ci --prefix bench')
