// What events of a kind say, in a language. The text itself is Liquid; filling it in is the flow's business.

export type Template = {
  /** The kind of occasion, such as BIRTHDAY. */
  type: string
  /** A language tag, or empty for everybody whose language has no text of its own. */
  language: string
  /** For e-mail; null for the type's own. */
  subject: string | null
  body: string
  version: number
  createdAt: number
  updatedAt: number
}

/** The text for a language: its own, else that of the wider language (`pt` for `pt-BR`), else the one for everybody. */
export function chooseTemplate(
  templates: readonly Template[],
  wanted: { type: string; language: string | null },
): Template | null {
  const ofType = new Map<string, Template>()
  for (const template of templates) if (template.type === wanted.type) ofType.set(template.language, template)
  let language = wanted.language ?? ''
  for (;;) {
    const found = ofType.get(language)
    if (found !== undefined) return found
    if (language === '') return null
    language = language.includes('-') ? language.slice(0, language.lastIndexOf('-')) : ''
  }
}
