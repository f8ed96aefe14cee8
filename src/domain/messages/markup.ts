// Converts plain text to HTML and HTML to plain text, for mails that contain both.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
}

/** Whether a template is HTML: it contains a closing tag or a <br>. */
export function isMarkup(text: string): boolean {
  return /<\/[a-z][a-z0-9]*\s*>|<br\s*\/?>/i.test(text)
}

export function htmlOfText(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>\n')
}

const CHARACTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character])),
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
}

/** The text of a page without tags, comments and styles, one line per block. Linear in its length. */
export function textOfHtml(html: string): string {
  const text = withoutBlocks(html)
    .replace(/\s+/g, ' ')
    .replace(/<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote)\s*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|apos|nbsp|#34|#39);/g, (entity) => CHARACTERS[entity]!)
  // Not by / *\n */g: V8 would try every space of a long run as its beginning.
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join('\n').trim()
}

/** Invisible parts. Not a regular expression: if the closing part is missing, V8 would search for it from every opening. */
const BLOCKS = [
  ['<!--', '-->'],
  ['<style', '</style>'],
  ['<title', '</title>'],
] as const

function withoutBlocks(html: string): string {
  let text = html
  for (const [opening, closing] of BLOCKS) {
    let kept = ''
    let from = 0
    for (;;) {
      const begin = text.indexOf(opening, from)
      const end = begin === -1 ? -1 : text.indexOf(closing, begin)
      if (end === -1) break
      kept += text.slice(from, begin)
      from = end + closing.length
    }
    text = kept + text.slice(from)
  }
  return text
}
