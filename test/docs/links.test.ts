// Every link in the documents leads to a file that exists and to a heading that it has; every path and script that they name exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const inFolder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const atRoot = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
const pages = [...atRoot, ...inFolder('docs'), ...inFolder('deploy')]
/** The pages about the present. */
const current = pages.filter((page) => !/^CHANGELOG|^docs\/decisions\//.test(page))
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

const namedIn = (pages: string[], pattern: RegExp) => [
  ...new Set(pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, name]) => name!))),
]

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

  it('name only files that exist', () => {
    const path = /`((?:src|test|web|docs|deploy|bench|migrations|examples|scripts|bin)(?:\/[\w.-]+)+)`/g
    expect(namedIn(current, path).filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    // The page of requirements also names the scripts that Terce does not have.
    const others = current.filter((page) => page !== 'docs/requirements.md')
    expect(namedIn(others, /npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([])
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
})
