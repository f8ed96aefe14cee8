// npm run bench -- --scale: fills a database with a million people or more, and measures what grows with their number.
import { cpus } from 'node:os'
import { openHome, type ProductDeps } from '../product/home.ts'
import type { HomeName } from '../workloads.ts'
import { claim } from './claim.ts'
import { beginYearsAgo, prune } from './history.ts'
import { IMPORTED, load } from './load.ts'
import { replan } from './replan.ts'
import type { ScaleRun } from './report.ts'
import type { ScaleSizes } from './scale-home.ts'
import { spike } from './spike.ts'

export const STEPS = { load, claim, spike, replan, prune } as const
export type Step = keyof typeof STEPS
export const STEP_NAMES = Object.keys(STEPS) as Step[]

export const SCALES: Readonly<Record<string, number>> = {
  '1M': 1_000_000,
  '10M': 10_000_000,
  '30M': 30_000_000,
}

/** For testing the benchmark itself: its figures are meaningless. */
export const TINY_SCALE = 5_000

export async function runScale(
  deps: ProductDeps,
  how: {
    people: number
    name: HomeName
    steps: readonly Step[]
    /** The load of the machine before the first database. */
    load: number
    say: (line: string) => void
  },
): Promise<ScaleRun> {
  const { people, name, say } = how
  const sizes: ScaleSizes = {
    spike: Math.min(100_000, people / 5),
    claims: 200,
    imported: Math.min(people, IMPORTED),
    othersMs: Math.max(30_000, people / 5),
  }
  const run: ScaleRun = {
    people,
    engine: name,
    at: new Date().toISOString(),
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`,
    load: how.load,
    figures: {},
  }
  const home = await openHome(name, deps.command, deps.postgres)
  try {
    await beginYearsAgo(name, home)
    // Every other step needs the people.
    for (const step of STEP_NAMES.filter((one) => one === 'load' || how.steps.includes(one))) {
      say(`${name}, ${people.toLocaleString('en')} people: ${step}`)
      const measured = await STEPS[step]({ ...deps, name, home, people, sizes })
      for (const [metric, value] of Object.entries(measured)) {
        run.figures[metric] = value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3))
        say(`  ${metric} ${run.figures[metric]!.toLocaleString('en')}`)
      }
    }
  } finally {
    await home.remove()
  }
  return run
}
