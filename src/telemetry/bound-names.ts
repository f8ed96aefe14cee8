// Bounds the names in metrics and log lines that callers choose: types of occasions and channels.

/** Names that are kept. */
const MOST_NAMES = 20
export const OTHER_NAMES = 'OTHER'

/** The first names are kept, all further ones are OTHER. */
export function boundNames(): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= MOST_NAMES) return OTHER_NAMES
    known.add(name)
    return name
  }
}
