// Formats the figures: a table with ratios, and the file with the results.
import { ENGINES, type EngineEntry } from './engines/list.ts'
import { bestPeer, type Figure, ratio, show } from './figures.ts'
import { describe, type Sizes, WORKLOADS } from './workloads.ts'

export function printTable(figures: readonly Figure[], sizes: Sizes): string {
  const lines = [row('', '', 'best', 'worst', 'vs best durable peer')]
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
        lines.push(
          row(
            i === 0 ? label : '',
            figure.engine,
            show(figure.metric, figure.value),
            figure.runs === 1 ? '' : show(figure.metric, figure.worst),
            peer === undefined ? '' : `${ratio(figure, peer).toFixed(2)}x`,
          ),
        )
      })
    }
  }
  return lines.join('\n')
}

export function printRemarks(figures: readonly Figure[]): string {
  const used = (ENGINES as readonly EngineEntry[]).filter(({ name }) =>
    figures.some(({ engine }) => engine === name),
  )
  const lines = used.flatMap(({ name, remark, sameWork }) => [
    `  ${name}: ${remark}`,
    ...(sameWork === undefined ? [] : [`  ${name} with the work of Terce: ${sameWork.remark}`]),
  ])
  return ['Guarantees of the engines:', ...lines].join('\n')
}

/** The results of one run, as they are stored. Runs of older versions have no sizes: they were full runs. */
export type Recorded = { at: string; context: string[]; sizes?: Sizes; figures: Figure[] }

/** Writes the JSON as the formatter of this repository would: one line for each figure that fits. */
export function formatRecord({ at, context, sizes, figures }: Recorded): string {
  return `{
  "at": ${JSON.stringify(at)},
  "context": [
${context.map((line) => `    ${JSON.stringify(line)}`).join(',\n')}
  ],
  "sizes": {
${fieldsOf(sizes ?? {})
  .map((field) => `    ${field}`)
  .join(',\n')}
  },
  "figures": [
${figures.map(formatFigure).join(',\n')}
  ]
}
`
}

function formatFigure(figure: Figure): string {
  const fields = fieldsOf(figure)
  const line = `    { ${fields.join(', ')} }`
  return line.length < 110 ? line : `    {\n      ${fields.join(',\n      ')}\n    }`
}

function fieldsOf(value: object): string[] {
  return Object.entries(value).map(([name, field]) => `"${name}": ${inline(field)}`)
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value === 'object' && value !== null) return `{ ${fieldsOf(value).join(', ')} }`
  return JSON.stringify(value)
}

function groups(figures: readonly Figure[]): Figure[][] {
  return Object.values(Object.groupBy(figures, ({ metric, pending }) => `${metric} ${pending}`)) as Figure[][]
}

function row(label: string, engine: string, ...cells: string[]): string {
  const widths = [12, 12, 22]
  return `  ${label.padEnd(20)}${engine.padEnd(17)}${cells.map((cell, i) => cell.padStart(widths[i]!)).join('')}`.trimEnd()
}
