import { describe, expect, it } from 'vitest'
import { renderDocs } from '../../../web/scripts/docs.ts'

const files = renderDocs()
const pages = [...files].filter(([name]) => name.endsWith('.html'))

describe('the pages of docs beside the dashboard', () => {
  it('are those of the package', () => {
    const names = pages.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(['index.html', 'readme.html', 'tutorial.html', 'cli.html']))
    expect(names).not.toContain('architecture.html')
  })

  it.each(pages)('%s links only to pages and headings that exist, and shows no Markdown', (_, html) => {
    const links = [...html.matchAll(/ href="([^"]*)"/g)].map((match) => match[1]!)
    const broken = links.filter((link) => {
      if (/^https?:/.test(link) || link === '../') return false
      const [name, anchor] = link.split('#') as [string, string?]
      const target = name === '' ? html : files.get(name)
      return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`))
    })
    expect(broken).toEqual([])
    expect(links.length).toBeGreaterThan(2)
    const words = html.replaceAll(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, '')
    expect(words.match(/.*(?:\]\(|`|\*\*|&lt;!--|^\||^#+ |^- ).*/gm)).toBeNull()
  })

  it.each(pages)('%s has tables with a cell for each heading', (_, html) => {
    for (const [table] of html.matchAll(/<table>.*?<\/table>/gs)) {
      const cells = [...table.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row.match(/<t[hd]>/g)!.length)
      expect(new Set(cells).size, table).toBe(1)
    }
  })

  it('number the steps of a list with commands between them', () => {
    const list = /<ol>.*?<\/ol>/s.exec(files.get('deploy-aws.html')!)![0]
    expect(list.match(/^<li>/gm)!.length).toBeGreaterThan(3)
    expect(list).toContain('npm ci\n')
  })

  it('escape what is no Markdown', () => {
    expect(files.get('email.html')).toContain('<code>Terce &lt;hello@example.com&gt;</code>')
  })
})

it('the pages have a style sheet with the colours of both themes', () => {
  expect(files.get('docs.css')).toMatch(
    /:root \{.*@media \(prefers-color-scheme: dark\) \{ :root \{.*body \{/s,
  )
})
