// Builds the pages of docs that the package has as HTML, for the dashboard to link to.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Marked } from 'marked'
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
    const hrefOf: Link = (target) => {
      if (/^https?:/.test(target) || target.startsWith('#')) return target
      const [path, anchor] = target.split('#') as [string, string?]
      const file = names.get(posix.join(posix.dirname(page), path))
      return file === undefined ? null : `${file}${anchor === undefined ? '' : `#${anchor}`}`
    }
    const text = read(page)
    const title = escaped(/^# (.*)/m.exec(text)![1]!)
    const nav = '<nav><a href="../">Dashboard</a> <a href="index.html">All pages</a></nav>'
    const body = `<body>${nav}<main>${toHtml(text, hrefOf)}</main></body></html>\n`
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

/** Null for a file that is not among the pages: the link then has only its text. */
type Link = (target: string) => string | null

function toHtml(markdown: string, hrefOf: Link): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = hrefOf(href)
        const text = this.parser.parseInline(tokens)
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`
      },
      // Pictures are not in the package.
      image: () => '',
      html: () => '',
    },
  })
  return marked.parse(markdown, { async: false })
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
