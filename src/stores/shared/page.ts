// Pages of a list in order of id.
import type { Page } from '../../ports/query.ts'

/** From one row more than asked for, which says whether there is a next page. */
export function toPage<T extends { id: string }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null }
}
