// Pages of a list, and how names are searched in it: the same in every store.
import type { Page } from '../../ports/query.ts'

/** From one row more than asked for, which says whether there is a next page. */
export function toPage<T extends { id: string }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null }
}

/** The form in which names are compared: in any letter case, with composed or separate accents. */
export function searchText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
