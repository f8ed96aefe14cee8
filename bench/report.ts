// Formats the figures: a table with ratios, the targets, lines of JSON, and the file with the results.
import { ENGINES } from './engines/list.ts'
import { type Figure, isRate, show } from './figures.ts'
import { describe, LIMIT_OF, type Sizes, WORKLOADS, type Workload } from './workloads.ts'

export function printTable(figures: readonly Figure[], sizes: Sizes): string {
  const lines = [row('', '', 'best', 'worst', 'vs best durable peer', 'of the limit')]
  for (const workload of WORKLOADS) {
    const own = figures.filter((figure) => figure.workload === workload)
    if (own.length === 0) continue
    lines.push('', `${workload}: ${describe(workload, sizes)}`)
    for (const group of groups(own)) {
      const label =
        group[0]!.pending === undefined
          ? group[0]!.metric
          : `${group[0]!.pending.toLocaleString('en')} pending`
      group.forEach((figure, i) => {
        const peer = bestPeer(group, figure)
        const limit = group.find(({ engine }) => engine === LIMIT_OF[workload][0])
        lines.push(
          row(
            i === 0 ? label : '',
            figure.engine,
            show(figure.metric, figure.value),
            figure.runs === 1 ? '' : show(figure.metric, figure.worst),
            peer === undefined ? '' : `${ratio(figure, peer).toFixed(2)}x`,
            limit === undefined || limit === figure ? '' : `${Math.round(ratio(figure, limit) * 100)} %`,
          ),
        )
      })
    }
  }
  return lines.join('\n')
}

export function printRemarks(figures: readonly Figure[]): string {
  const used = ENGINES.filter(({ name }) => figures.some(({ engine }) => engine === name))
  return ['Guarantees of the engines:', ...used.map(({ name, remark }) => `  ${name}: ${remark}`)].join('\n')
}

/** The targets of the benchmark for which there are figures, and whether each is met. */
export function printTargets(figures: readonly Figure[], sizes: Sizes): string {
  const find = (workload: Workload, engine: string, metric: string, pending?: number) =>
    figures.find(
      (f) => f.workload === workload && f.engine === engine && f.metric === metric && f.pending === pending,
    )
  const lines: string[] = []
  const report = (met: boolean, text: string) => lines.push(`  ${met ? 'met   ' : 'MISSED'} ${text}`)

  for (const [workload, overPeer, ofLimit] of [
    ['W1', 3, 0.75],
    ['W1M', 3, 0.75],
    ['W2', 2, 0.85],
    ['W3', 1.5, null],
  ] as const) {
    const ours = find(workload, 'terce-postgres', 'perSecond')
    if (ours === undefined) continue
    const peer = bestPeer(
      figures.filter((f) => f.workload === workload),
      ours,
    )
    if (peer !== undefined) {
      const times = ratio(ours, peer)
      report(
        times >= overPeer,
        `${workload} ${times.toFixed(2)}x the best durable peer, ${peer.engine} (target ${overPeer}x)`,
      )
    }
    for (const name of ofLimit === null ? [] : LIMIT_OF[workload]) {
      const limit = find(workload, name, 'perSecond')
      if (limit === undefined) continue
      const share = ratio(ours, limit)
      report(
        share >= ofLimit!,
        `${workload} ${Math.round(share * 100)} % of ${limit.engine} (target ${ofLimit! * 100} %)`,
      )
    }
  }
  const late = find('W4', 'terce-postgres', 'latenessP99Ms')
  if (late !== undefined) report(late.value < 15, `W4 p99 lateness ${late.value} ms (target under 15 ms)`)
  const [least] = sizes.pending
  const few = find('W5', 'terce-postgres', 'claimP50Ms', least)
  const most = find('W5', 'terce-postgres', 'claimP50Ms', sizes.pending.at(-1))
  const big = find('W5', 'terce-postgres', 'claimP50Ms', sizes.bigPending ?? -1) ?? most
  if (few !== undefined && big !== undefined)
    report(
      big.value <= few.value * 1.3,
      `W5 claim with ${size(big)} pending takes ${(big.value / few.value).toFixed(2)}x the time of ${size(few)} (target 10 M within 1.3x of 10 k)`,
    )
  for (const name of ['pg-boss', 'graphile-worker']) {
    const peer = find('W5', name, 'claimP50Ms', sizes.pending.at(-1))
    if (peer !== undefined && most !== undefined)
      report(
        ratio(most, peer) >= 20,
        `W5 claim ${ratio(most, peer).toFixed(1)}x faster than ${name} with ${size(peer)} pending (target 20x at 1 M)`,
      )
  }
  return ['Targets:', ...lines].join('\n')
}

export function jsonLines(figures: readonly Figure[]): string {
  return figures.map((figure) => JSON.stringify(figure)).join('\n')
}

/** Writes the JSON as the formatter of this repository would: one line for each figure that fits. */
export function formatRecord(record: { at: string; context: string[]; figures: readonly Figure[] }): string {
  const figures = record.figures.map((figure) => {
    const fields = Object.entries(figure).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    const line = `    { ${fields.join(', ')} }`
    return line.length < 110 ? line : `    {\n      ${fields.join(',\n      ')}\n    }`
  })
  const context = record.context.map((line) => `    ${JSON.stringify(line)}`)
  return `{
  "at": ${JSON.stringify(record.at)},
  "context": [
${context.join(',\n')}
  ],
  "figures": [
${figures.join(',\n')}
  ]
}
`
}

/** How many times better the figure is than the other one. */
export function ratio(figure: Figure, other: Figure): number {
  return isRate(figure.metric) ? figure.value / other.value : other.value / figure.value
}

function bestPeer(group: readonly Figure[], than: Figure): Figure | undefined {
  const durable = ENGINES.filter(({ kind, durable }) => kind === 'peer' && durable).map(
    ({ name }) => name as string,
  )
  return group
    .filter((f) => durable.includes(f.engine) && f.metric === than.metric && f.pending === than.pending)
    .sort((a, b) => ratio(b, a) - ratio(a, b))[0]
}

function groups(figures: readonly Figure[]): Figure[][] {
  return Object.values(Object.groupBy(figures, ({ metric, pending }) => `${metric} ${pending}`)) as Figure[][]
}

function size(figure: Figure): string {
  return figure.pending!.toLocaleString('en')
}

function row(label: string, engine: string, ...cells: string[]): string {
  const widths = [12, 12, 22, 14]
  return `  ${label.padEnd(20)}${engine.padEnd(17)}${cells.map((cell, i) => cell.padStart(widths[i]!)).join('')}`.trimEnd()
}
