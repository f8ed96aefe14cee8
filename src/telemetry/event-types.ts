// Bounds the event types in metrics and log lines: the types of occasions are the callers' to choose.

/** Types that keep their own name. */
const MOST_TYPES = 20
export const OTHER_TYPES = 'OTHER'

/** The first types keep their names, all further ones are OTHER. */
export function boundTypes(): (type: string) => string {
  const known = new Set<string>()
  return (type) => {
    if (known.has(type)) return type
    if (known.size >= MOST_TYPES) return OTHER_TYPES
    known.add(type)
    return type
  }
}
