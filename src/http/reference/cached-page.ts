// The reference page, rendered once: rendering takes 22 ms of CPU, and the page needs no key.
import { sha256Hex } from '../../domain/formats/sha256.ts'
import { type ReferenceLinks, renderReference } from './page.ts'
import { REFERENCE_SCRIPT } from './script.ts'
import { REFERENCE_STYLE } from './style.ts'

export type Cached = { text: string; tag: string }

/** Stands for the origin in the cached text. */
const ORIGIN = 'https://origin.invalid'

/** The page with examples for an origin, and its entity tag. `describe` is called at the first request. */
export function createReferencePage(
  describe: () => Parameters<typeof renderReference>[0],
  links: ReferenceLinks,
): (origin: string) => Promise<Cached> {
  let parts: Promise<{ pieces: string[]; hash: string }> | null = null

  async function render() {
    const page = String(await renderReference(describe(), ORIGIN, links))
    return { pieces: page.split(ORIGIN), hash: tagOf(page) }
  }

  return async (origin) => {
    parts ??= render()
    const { pieces, hash } = await parts
    return { text: pieces.join(escaped(origin)), tag: `"${hash}-${tagOf(origin)}"` }
  }
}

/** Allows the script and the style of the page by their hashes, and nothing else. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(REFERENCE_SCRIPT)}`,
  `style-src ${hashOf(REFERENCE_STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function hashOf(text: string): string {
  const bytes = sha256Hex(text)
    .match(/../g)!
    .map((byte) => Number.parseInt(byte, 16))
  return `'sha256-${btoa(String.fromCharCode(...bytes))}'`
}

export function tagOf(text: string): string {
  return sha256Hex(text).slice(0, 16)
}

/** A host name may contain these two. */
function escaped(origin: string): string {
  return origin.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
}
