// The targets of the benchmark, and whether the figures meet them. A target without a figure is not listed.
import { bestPeer, type Figure, ratio, show } from './figures.ts'
import type { Sizes, Workload } from './workloads.ts'

/** How many times better than the best durable peer, by metric. In W6 and `people` it does the same work, else it is a queue alone. */
const OVER_PEER: readonly [workload: Workload, metric: string, least: number][] = [
  ['W6', 'perSecond', 2],
  ['W6', 'cpuUs', 1 / 0.6],
  ['people', 'perSecond', 1.2],
  ['W1', 'perSecond', 1.2],
  ['W1M', 'perSecond', 1.1],
]
const FLAT = 1.3
/** The largest value of each metric, and the number of people that it holds for. */
const AT_MOST: readonly {
  workload: Workload
  engine: string
  metric: string
  most: number
  people?: number
}[] = [
  { workload: 'W4', engine: 'terce-postgres', metric: 'latenessP99Ms', most: 8 },
  { workload: 'W6', engine: 'terce-postgres', metric: 'cpuUs', most: 240 },
  { workload: 'W6', engine: 'terce-postgres', metric: 'firstMs', most: 30 },
  { workload: 'W7', engine: 'terce-postgres', metric: 'latenessP99Ms', most: 1_000 },
  { workload: 'W7', engine: 'terce-sqlite', metric: 'latenessP99Ms', most: 1_000 },
  { workload: 'memory', engine: 'terce-sqlite', metric: 'idleMB', most: 120 },
  { workload: 'import', engine: 'terce-postgres', metric: 'seconds', most: 60, people: 1_000_000 },
  { workload: 'import', engine: 'terce-sqlite', metric: 'seconds', most: 75, people: 1_000_000 },
]
/** How many times as long as a claim of graphile-worker. */
const CLAIM_MOST = 1.2

export function printTargets(figures: readonly Figure[], sizes: Sizes): string {
  const lines: string[] = []
  const report = (met: boolean, text: string) => lines.push(`  ${met ? 'met   ' : 'MISSED'} ${text}`)
  const find = (workload: Workload, engine: string, metric: string) =>
    figures.find((f) => f.workload === workload && f.engine === engine && f.metric === metric)

  for (const [workload, metric, least] of OVER_PEER) {
    const ours = find(workload, 'terce-postgres', metric)
    const peer = ours && bestPeer(figures, ours)
    if (ours === undefined || peer === undefined) continue
    const times = ratio(ours, peer)
    const text = `${workload} ${metric} ${times.toFixed(2)}x better than ${peer.engine}, the best durable peer`
    report(times >= least, `${text} (target ${least.toFixed(2)}x)`)
  }
  for (const { workload, engine, metric, most, people } of AT_MOST) {
    const ours = find(workload, engine, metric)
    if (ours === undefined || (people !== undefined && people !== sizes.imported)) continue
    report(
      ours.value <= most,
      `${workload} ${metric} of ${engine} ${show(metric, ours.value)} (target at most ${show(metric, most)})`,
    )
  }
  const claims = figures.filter(({ workload, engine }) => workload === 'W5' && engine === 'terce-postgres')
  for (const claim of claims) {
    const peer = figures.find(
      (f) => f.engine === 'graphile-worker' && f.workload === 'W5' && f.pending === claim.pending,
    )
    if (peer === undefined) continue
    const times = claim.value / peer.value
    report(
      times <= CLAIM_MOST,
      `W5 claim with ${claim.pending!.toLocaleString('en')} pending takes ${times.toFixed(2)}x the time of graphile-worker's (target at most ${CLAIM_MOST}x)`,
    )
  }
  if (claims.length > 1) {
    const [few, many] = [claims[0]!, claims.at(-1)!]
    const times = many.value / few.value
    report(
      times <= FLAT,
      `W5 claim with ${many.pending!.toLocaleString('en')} pending takes ${times.toFixed(2)}x the time of ${few.pending!.toLocaleString('en')} (target at most ${FLAT}x)`,
    )
  }
  return ['Targets:', ...lines].join('\n')
}
