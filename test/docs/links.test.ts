// Every relative link in the documents leads to a file that exists, and to a heading that it has.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import questions from './questions.json' with { type: 'json' }

const ROOT = new URL('../../', import.meta.url).pathname
const inFolder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const atRoot = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
const pages = [...atRoot, ...inFolder('docs'), ...inFolder('deploy')]
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')

/** As GitHub makes it: lower case, spaces as hyphens, no punctuation. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)]
  return headings.map((match) => anchorOf(match[1]!))
}

/** The section under a heading, up to the next heading; without an anchor, the whole page. */
function sectionOf(text: string, anchor: string | undefined): string {
  if (anchor === undefined) return text
  return text.split(/^(?=#{1,3} )/m).find((part) => anchorOf(/^#+ (.*)/.exec(part)?.[1] ?? '') === anchor)!
}

/** The pages to which a page of docs links. */
const linkedFrom = (page: string) =>
  [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map((match) =>
    normalize(join(dirname(page), match[1]!)),
  )

/** The links of a page that lead nowhere. */
function brokenLinks(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map((match) => match[1]!)
  return links.filter((link) => {
    const [path, anchor] = link.split('#') as [string, string | undefined]
    const target = path === '' ? page : normalize(join(dirname(page), path))
    if (path !== '' && !existsSync(join(ROOT, target))) return true
    if (anchor === undefined) return false
    return !anchorsOf(target === page ? text : read(target)).includes(anchor)
  })
}

describe('the documents', () => {
  it.each(pages)('%s links only to pages and headings that exist', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([])
  })

  it('have every page that the source, the deployment files and the examples name', () => {
    const files = ['src', 'web/src', 'deploy', 'examples', 'scripts'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    const named = new Set(files.flatMap((text) => text.match(/\bdocs\/[\w-]+\.md\b/g) ?? []))
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((page) => !existsSync(join(ROOT, page)))).toEqual([])
  })

  it('list every decision page in their index, by its title', () => {
    const index = read('docs/decisions/README.md')
    const decisions = inFolder('docs/decisions').filter((page) => /\/\d{4}-/.test(page))
    const missing = decisions.filter((page) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(page))!
      return !index.includes(`| ${number} | [${title}](${page.split('/').at(-1)}) |`)
    })
    expect(decisions.length).toBeGreaterThan(15)
    expect(missing).toEqual([])
  })

  it('keep the README under 200 lines, and each page under 2,500 words', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(200)
    const wordsOf = (page: string) => read(page).match(/\S*[\p{L}\p{N}]\S*/gu)!.length
    const ofDocs = pages.filter((page) => page.startsWith('docs/'))
    expect(ofDocs.filter((page) => wordsOf(page) > 2_500)).toEqual([])
  })
})

describe('docs/README.md, the index', () => {
  const linked = linkedFrom('docs/README.md')

  it('is linked from the README, and links to every page', () => {
    expect(linkedFrom('README.md')).toContain('docs/README.md')
    const ofDocs = pages.filter((page) => /^docs\/[^/]+$/.test(page) && page !== 'docs/README.md')
    expect(ofDocs.filter((page) => !linked.includes(page))).toEqual([])
  })

  it('leads to twenty answers of a new user at least', () => {
    expect(questions.length).toBeGreaterThanOrEqual(20)
  })

  it.each(questions)('leads to the answer: $question', ({ at, words }) => {
    const [path, anchor] = at.split('#') as [string, string | undefined]
    const page = normalize(join('docs', path))
    expect(linked).toContain(page)
    const section = sectionOf(read(page), anchor)
    expect(words.filter((word) => !section.includes(word))).toEqual([])
  })
})

describe('the check of links', () => {
  it('finds a page and a heading that do not exist', () => {
    const text =
      '# A page\n[a](nowhere.md) [b](#a-page) [c](#b-page) [d](operate.md#channels) [e](operate.md#nothing)'
    expect(brokenLinks('docs/page.md', text)).toEqual(['nowhere.md', '#b-page', 'operate.md#nothing'])
  })
})
