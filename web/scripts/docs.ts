// Builds the pages of docs that the package has as HTML, for the dashboard to link to. Reads the Markdown that they use, not all of it.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** The name of the HTML file of each page. Pages about the source are only in the repository. */
function namePages(): Map<string, string> {
  const { files }: { files: string[] } = JSON.parse(read('package.json'))
  const pages = readdirSync(new URL('docs', ROOT)).filter(
    (name) => name.endsWith('.md') && !files.includes(`!docs/${name}`),
  )
  const named = pages.map((name) => [`docs/${name}`, name.replace(/md$/, 'html')] as const)
  return new Map([...named, ['docs/README.md', 'index.html'], ['README.md', 'readme.html']])
}

/** The content of each HTML file, by its name. */
export function renderDocs(): Map<string, string> {
  const names = namePages()
  const rendered = [...names].map(([page, name]) => {
    /** Null for a file that is not among the pages: the link then has only its text. */
    const hrefOf: Link = (target) => {
      if (/^https?:/.test(target) || target.startsWith('#')) return target
      const [path, anchor] = target.split('#') as [string, string?]
      const file = names.get(posix.join(posix.dirname(page), path))
      return file === undefined ? null : `${file}${anchor === undefined ? '' : `#${anchor}`}`
    }
    const text = read(page).replaceAll(/<!--.*?-->|<picture>[\s\S]*?<\/picture>|^!\[.*\)$/gm, '')
    const title = escaped(/^# (.*)/m.exec(text)![1]!)
    const nav = '<nav><a href="../">Dashboard</a> <a href="index.html">All pages</a></nav>'
    const body = `<body>${nav}<main>${blocks(text.split('\n'), hrefOf)}</main></body></html>\n`
    return [name, `${HEAD}<title>${title} · Terce</title></head>\n${body}`] as const
  })
  return new Map([...rendered, ['docs.css', style()]])
}

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="docs.css">`

/** The colours of the dashboard, in the theme of the system. */
function style(): string {
  const colours = read('web/src/theme.css').split('@theme')[0]!
  const dark = /\[data-theme="dark"\] (\{[^}]*\})/
  return (
    colours.replace(dark, '@media (prefers-color-scheme: dark) { :root $1 }') + read('web/scripts/docs.css')
  )
}

type Link = (target: string) => string | null

const START = /^(?:```|#+ |\||- |\d+\. )/

function blocks(lines: readonly string[], hrefOf: Link): string {
  let html = ''
  let at = 0
  const takeWhile = (test: (line: string, next: string) => boolean) => {
    const from = at
    while (at < lines.length && test(lines[at]!, lines[at + 1] ?? '')) at++
    return lines.slice(from, at)
  }
  const text = (part: string) => spans(part, hrefOf)
  while (at < lines.length) {
    const line = lines[at]!
    const heading = /^(#+) (.*)/.exec(line)
    const marker = /^(?:-|\d+\.) +/.exec(line)?.[0]
    if (line.startsWith('```')) {
      at++
      html += `<pre><code>${escaped(takeWhile((one) => one !== '```').join('\n'))}</code></pre>\n`
      at++
    } else if (heading !== null) {
      at++
      const level = heading[1]!.length
      html += `<h${level} id="${anchorOf(heading[2]!)}">${text(heading[2]!)}</h${level}>\n`
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = takeWhile((one) => one.startsWith('|')).map((row) =>
        row.split('|').slice(1, -1),
      )
      const draw = (cells: string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${text(cell.trim())}</${tag}>`).join('')}</tr>\n`
      html += `<table>${draw(head!, 'th')}${rows.map((row) => draw(row, 'td')).join('')}</table>\n`
    } else if (marker !== undefined) {
      const tag = marker.startsWith('-') ? 'ul' : 'ol'
      const isOurs = tag === 'ul' ? /^- / : /^\d+\. /
      html += `<${tag}>\n`
      while (isOurs.test(lines[at] ?? '')) {
        const first = lines[at++]!.slice(marker.length)
        const more = takeWhile((one, next) => (one === '' ? /^ {2,}\S/.test(next) : !START.test(one)))
        html += `<li>${blocks([first, ...more.map((one) => one.replace(/^ {2,3}/, ''))], hrefOf)}</li>\n`
        if (lines[at] === '' && isOurs.test(lines[at + 1] ?? '')) at++
      }
      html += `</${tag}>\n`
    } else if (line === '') at++
    else html += `<p>${text(takeWhile((one) => one !== '' && !START.test(one)).join('\n'))}</p>\n`
  }
  return html
}

/** Code, a link, bold and italic text. */
const SPAN = /`([^`]+)`|\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*/s

function spans(text: string, hrefOf: Link): string {
  const match = SPAN.exec(text)
  if (match === null) return escaped(text)
  const [all, code, label, target, bold, italic] = match
  const inner = (tag: string, part: string) => `<${tag}>${spans(part, hrefOf)}</${tag.split(' ')[0]}>`
  let html = ''
  if (code !== undefined) html = `<code>${escaped(code)}</code>`
  else if (bold !== undefined) html = inner('b', bold)
  else if (italic !== undefined) html = inner('i', italic)
  else {
    const href = hrefOf(target!)
    html = href === null ? spans(label!, hrefOf) : inner(`a href="${escaped(href)}"`, label!)
  }
  return escaped(text.slice(0, match.index)) + html + spans(text.slice(match.index + all.length), hrefOf)
}

/** As GitHub makes it: lower case, spaces as hyphens, no punctuation. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)

/** In a build as files, in development from the sources. */
export const docs: Plugin = {
  name: 'docs',
  generateBundle() {
    for (const [name, source] of renderDocs())
      this.emitFile({ type: 'asset', fileName: `docs/${name}`, source })
  },
  configureServer({ middlewares }) {
    middlewares.use('/app/docs', ({ url = '' }, response, next) => {
      const source = renderDocs().get(url.slice(1))
      if (source === undefined) return next()
      response.setHeader('Content-Type', url.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8')
      response.end(source)
    })
  },
}
