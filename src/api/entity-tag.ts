// Entity tags of users: the version in quotes, and the two headers that ask for one (RFC 9110, 13.1).
export function entityTag(user: { version: number }): string {
  return `"v${user.version}"`
}

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/
const TAGS = new RegExp(`^\\s*${TAG.source}(?:\\s*,\\s*${TAG.source})*\\s*$`)

/** The versions in an If-Match list; null if it is not one. Weak tags and unknown tags match nothing. */
export function versionsIn(header: string): number[] | null {
  if (!TAGS.test(header)) return null
  return tagsIn(header).flatMap((tag) => {
    const version = /^"v([1-9]\d{0,14})"$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** True if the caller has this version. Weak tags match; unreadable tags do not. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || tagsIn(header).some((known) => known.replace(/^W\//, '') === tag)
}

function tagsIn(header: string): string[] {
  return header.match(new RegExp(TAG, 'g')) ?? []
}
