// The targets of the benchmark, and whether the figures meet them. A target without a figure is not listed.
import { bestPeer, type Figure, ratio, show } from './figures.ts'
import type { Sizes, Workload } from './workloads.ts'

/** How many times faster than the best durable peer. */
const OVER_PEER: readonly [Workload, number][] = [
  ['W1', 1.5],
  ['W1M', 1.4],
  ['W2', 1.2],
  // Terce writes three rows for each person, a peer one for each job.
  ['W3', 0.55],
]
/** The share of the statements of the store in a bare loop. */
const OF_BARE_LOOP: readonly [Workload, number][] = [['W2', 0.92]]
const FLAT = 1.3
/** The largest value of each metric, and the number of people that it holds for. */
const AT_MOST: readonly {
  workload: Workload
  engine: string
  metric: string
  most: number
  people?: number
}[] = [
  { workload: 'W4', engine: 'terce-postgres', metric: 'latenessP99Ms', most: 5 },
  { workload: 'W6', engine: 'terce-postgres', metric: 'cpuUs', most: 140 },
  { workload: 'W6', engine: 'terce-postgres', metric: 'firstMs', most: 25 },
  { workload: 'W7', engine: 'terce-postgres', metric: 'latenessP99Ms', most: 1_000 },
  { workload: 'W7', engine: 'terce-sqlite', metric: 'latenessP99Ms', most: 1_000 },
  { workload: 'memory', engine: 'terce-sqlite', metric: 'idleMB', most: 120 },
  { workload: 'import', engine: 'terce-postgres', metric: 'seconds', most: 60, people: 1_000_000 },
  { workload: 'import', engine: 'terce-sqlite', metric: 'seconds', most: 45, people: 1_000_000 },
]
const CLAIM_MOST_MS = 2

export function printTargets(figures: readonly Figure[], sizes: Sizes): string {
  const lines: string[] = []
  const report = (met: boolean, text: string) => lines.push(`  ${met ? 'met   ' : 'MISSED'} ${text}`)
  const find = (workload: Workload, engine: string, metric: string) =>
    figures.find((f) => f.workload === workload && f.engine === engine && f.metric === metric)

  for (const [workload, least] of OVER_PEER) {
    const ours = find(workload, 'terce-postgres', 'perSecond')
    const peer = ours && bestPeer(figures, ours)
    if (ours === undefined || peer === undefined) continue
    const times = ratio(ours, peer)
    report(
      times >= least,
      `${workload} ${times.toFixed(2)}x the best durable peer, ${peer.engine} (target ${least}x)`,
    )
  }
  for (const [workload, least] of OF_BARE_LOOP) {
    const ours = find(workload, 'terce-postgres', 'perSecond')
    const bare = find(workload, 'bare-sql', 'perSecond')
    if (ours === undefined || bare === undefined) continue
    const share = ratio(ours, bare)
    report(share >= least, `${workload} ${percent(share)} of bare-sql (target ${percent(least)})`)
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
  for (const { value, pending } of claims)
    report(
      value <= CLAIM_MOST_MS,
      `W5 claim with ${pending!.toLocaleString('en')} pending ${value} ms (target at most ${CLAIM_MOST_MS} ms)`,
    )
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

const percent = (share: number) => `${Math.round(share * 100)} %`
