// Draws the throughput workloads as an SVG bar chart: no background, and colours that are legible on light and dark pages.
import type { Figure } from './figures.ts'

const SHOWN = ['W1', 'W1M', 'W2', 'W3']
const TITLES: Readonly<Record<string, string>> = {
  W1: 'W1: all due at one instant',
  W1M: 'W1M: with future events pending',
  W2: 'W2: by HTTP POST',
  W3: 'W3: bulk scheduling',
}
const COLOURS: Readonly<Record<string, string>> = {
  'terce-postgres': '#2f9e6e',
  'pg-boss': '#7a8ea8',
  'graphile-worker': '#a08a6c',
  bullmq: '#b0707a',
  'bare-sql': '#8888',
  'bare-http': '#8884',
}

const WIDTH = 720
const LEFT = 130
const BAR = 16
const ROW = 22

export function drawPlot(figures: readonly Figure[]): string {
  const parts: string[] = []
  let y = 10
  for (const workload of SHOWN) {
    const bars = figures.filter((figure) => figure.workload === workload && figure.metric === 'perSecond')
    if (bars.length === 0) continue
    const longest = Math.max(...bars.map(({ value }) => value))
    y += 18
    parts.push(`<text x="0" y="${y}" class="title">${TITLES[workload]}, events per second</text>`)
    y += 8
    for (const { engine, value } of bars) {
      const length = Math.max(1, ((WIDTH - LEFT - 70) * value) / longest)
      parts.push(
        `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${engine}</text>`,
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${COLOURS[engine] ?? '#888'}"/>`,
        `<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 12}">${Math.round(value).toLocaleString('en')}</text>`,
      )
      y += ROW
    }
    y += 8
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="Events per second by engine">
<style>
text { font: 12px system-ui, sans-serif; fill: #444 }
.title { font-weight: 600; fill: #222 }
@media (prefers-color-scheme: dark) { text { fill: #bbb } .title { fill: #eee } }
</style>
${parts.join('\n')}
</svg>
`
}
