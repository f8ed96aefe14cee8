// Draws the results as an SVG bar chart: no background, and colours that are legible on light and dark pages.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, isRate } from './figures.ts'

type Shown = { workload: string; metric: string; pending?: number; title: string }

const SHOWN: readonly Shown[] = [
  {
    workload: 'W1',
    metric: 'perSecond',
    title: '50,000 due at one instant, each with its successor planned',
  },
  { workload: 'W1M', metric: 'perSecond', title: '50,000 due at one instant, with 1,000,000 more pending' },
  { workload: 'W3', metric: 'perSecond', title: 'Bulk scheduling (Terce: person, occasion and event)' },
  { workload: 'W4', metric: 'latenessP99Ms', title: 'Lateness of 200 random instants, p99' },
  { workload: 'W5', metric: 'claimP50Ms', pending: 1_000_000, title: 'One claim with 1,000,000 pending' },
]
const NAMES: Readonly<Record<string, string>> = {
  'terce-postgres': 'Terce',
  bullmq: 'BullMQ',
}
const COLOURS: Readonly<Record<string, string>> = {
  'terce-postgres': '#d08a1d',
  'pg-boss': '#7a8ea8',
  'graphile-worker': '#7a8ea8',
  bullmq: '#7a8ea8',
}

const WIDTH = 760
const LEFT = 120
const BAR = 14
const ROW = 19

export function drawPlot(figures: readonly Figure[]): string {
  const parts: string[] = []
  let y = 0
  for (const { title, ...of } of SHOWN) {
    const bars = figures.filter((figure) => isOf(figure, of))
    if (bars.length === 0) continue
    const longest = Math.max(...bars.map(({ value }) => value))
    const unit = isRate(of.metric) ? 'per second, longer is better' : 'milliseconds, shorter is better'
    y += 20
    parts.push(`<text x="0" y="${y}" class="title">${title}<tspan class="unit" dx="8">${unit}</tspan></text>`)
    y += 8
    for (const { engine, value } of bars) {
      const length = Math.max(1, ((WIDTH - LEFT - 70) * value) / longest)
      parts.push(
        `<text x="${LEFT - 8}" y="${y + 11}" text-anchor="end">${NAMES[engine] ?? engine}</text>`,
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${COLOURS[engine] ?? '#888'}"/>`,
        `<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 11}">${value.toLocaleString('en')}</text>`,
      )
      y += ROW
    }
    y += 8
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="Terce compared with other queues">
<style>
text { font: 12px system-ui, sans-serif; fill: #444 }
.title { font-weight: 600; fill: #222 }
.unit { font-weight: 400; fill: #666 }
@media (prefers-color-scheme: dark) { text { fill: #bbb } .title { fill: #eee } .unit { fill: #999 } }
</style>
${parts.join('\n')}
</svg>
`
}

function isOf(figure: Figure, { workload, metric, pending }: Omit<Shown, 'title'>): boolean {
  return figure.workload === workload && figure.metric === metric && figure.pending === pending
}

/** Draws the stored results again: `node bench/plot.ts`. */
if (import.meta.main) {
  const folder = new URL('results/', import.meta.url)
  const { figures } = JSON.parse(readFileSync(new URL('latest.json', folder), 'utf8'))
  writeFileSync(new URL('latest.svg', folder), drawPlot(figures))
}
