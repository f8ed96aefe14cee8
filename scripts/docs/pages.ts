// Replaces the text between `<!-- generated: NAME -->` and `<!-- /generated -->` in the pages of the documentation.
import { readdirSync, readFileSync } from 'node:fs'
import { GENERATED, type Generated } from './tables.ts'

const ROOT = new URL('../../', import.meta.url)
const MARKED = /(<!-- generated: (.*?) -->\n)([\s\S]*?)(<!-- \/generated -->)/g

/** The pages whose generated parts differ from the code, with the text that they should have. */
export function outdatedPages(): Map<string, string> {
  const inDocs = readdirSync(new URL('docs', ROOT)).filter((name) => name.endsWith('.md'))
  const outdated = new Map<string, string>()
  for (const file of ['README.md', 'docs/decisions/README.md', ...inDocs.map((name) => `docs/${name}`)]) {
    const text = readFileSync(new URL(file, ROOT), 'utf8')
    const parts = GENERATED.filter((part) => part.file === file)
    const updated = updatePage(file, text, parts)
    if (updated !== text) outdated.set(file, updated)
  }
  return outdated
}

export function updatePage(file: string, text: string, parts: readonly Generated[]): string {
  const found = [...text.matchAll(MARKED)].map(([, , name]) => name!)
  const markers = text.match(/<!-- \/?generated.*$/gm) ?? []
  const expected = parts.map(({ name }) => name)
  if (found.length * 2 !== markers.length || [...found].sort().join() !== [...expected].sort().join())
    throw new Error(
      `${file} has the markers ${markers.join(' ')}. ` +
        `It needs a pair <!-- generated: NAME --> and <!-- /generated --> for: ${expected.join(', ') || 'nothing'}.`,
    )
  return text.replaceAll(MARKED, (_, begin: string, name: string, written: string, end: string) => {
    const { render } = parts.find((part) => part.name === name)!
    try {
      return `${begin}${render(written)}\n${end}`
    } catch (error) {
      throw new Error(`${file}, ${name}: ${(error as Error).message}`, { cause: error })
    }
  })
}
