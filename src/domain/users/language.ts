// A language tag, such as `de` or `pt-BR`, of a person and of a template.

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i

/** A language tag in canonical spelling (`pt-BR`, `zh-Hant`); null if the text is not a language tag. */
export function parseLanguage(text: string): string | null {
  if (!LANGUAGE.test(text)) return null
  return text
    .split('-')
    .map((part, i) => {
      if (i === 0 || part.length > 4) return part.toLowerCase()
      return part.length === 2 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1).toLowerCase()
    })
    .join('-')
}
