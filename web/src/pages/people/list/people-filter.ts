// The filter and the order of the list of people, as they are in the URL. A value that the server would reject is ignored.
import type { PeopleFilter, PeopleSort } from '../../../api/people.ts'
import { cityOf, typeText } from '../../../clock/format.ts'

export const DUE_WITHIN: Readonly<Record<string, string>> = {
  '1d': 'Next 24 hours',
  '7d': 'Next 7 days',
  '30d': 'Next 30 days',
  '90d': 'Next 90 days',
}

/** The parameters of the URL, each with the empty text for no filter. */
export const NO_FILTER = { search: '', zone: '', type: '', due: '', paused: '', failed: '' }

export function filterOfUrl(query: string): PeopleFilter {
  const params = new URLSearchParams(query)
  const [search, timezone] = [params.get('search')?.trim(), params.get('zone')]
  const [type, dueWithin, paused] = [params.get('type'), params.get('due'), params.get('paused')]
  return {
    ...(search && { search: search.slice(0, 100) }),
    ...(timezone && { timezone }),
    ...(type && /^[A-Z][A-Z0-9_]*$/.test(type) && { type }),
    ...(dueWithin && /^\d{1,3}d$/.test(dueWithin) && { dueWithin }),
    ...((paused === 'true' || paused === 'false') && { paused: paused === 'true' }),
    ...(params.get('failed') === 'true' && { failed: true as const }),
  }
}

/** `All people with "ada" in their name or id, in London, due within 7 days` */
export function filterText({ search, timezone, type, dueWithin, paused, failed }: PeopleFilter): string {
  const parts = [
    search && `matching “${search}”`,
    timezone && `in ${cityOf(timezone)}`,
    type && `with the occasion ${typeText(type).toLowerCase()}`,
    dueWithin && `due within ${dueWithin === '1d' ? '24 hours' : `${dueWithin.slice(0, -1)} days`}`,
    paused === true && 'with paused occasions',
    paused === false && 'without paused occasions',
    failed && 'with failed messages',
  ].filter(Boolean)
  return parts.length === 0 ? 'All people' : `All people ${parts.join(', ')}`
}

/** The newest person is on top. */
const DEFAULT_ORDER = '-createdAt'

/** The columns that sort, with their orders in the sequence of clicks. After the last one the list is in its default order. */
const ORDERS = {
  name: ['name', '-name'],
  due: ['dueAt'],
  added: [DEFAULT_ORDER, 'createdAt'],
} as const satisfies Record<string, readonly PeopleSort[]>

export type SortColumn = keyof typeof ORDERS

export type Order = (typeof ORDERS)[SortColumn][number]

export function orderOfUrl(query: string): Order {
  const sort = new URLSearchParams(query).get('sort')
  return (
    Object.values(ORDERS)
      .flat()
      .find((order) => order === sort) ?? DEFAULT_ORDER
  )
}

export function nextOrder(order: Order, column: SortColumn): Order {
  const orders: readonly Order[] = ORDERS[column]
  return orders[orders.indexOf(order) + 1] ?? DEFAULT_ORDER
}

export function ariaSort(order: Order, column: SortColumn): 'ascending' | 'descending' | 'none' {
  if (!(ORDERS[column] as readonly Order[]).includes(order)) return 'none'
  return order.startsWith('-') ? 'descending' : 'ascending'
}
