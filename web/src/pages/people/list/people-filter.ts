// The filter of the list of people, as it is in the URL. A value that the server would reject is ignored.
import type { PeopleFilter } from '../../../api/people.ts'
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
