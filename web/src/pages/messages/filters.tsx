// The filters of the Messages page. All of them are in the URL.

import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { useUser } from '../../api/people.ts'
import { useChannels } from '../../api/settings.ts'
import type { Session } from '../../api/types.ts'
import { typeText } from '../../clock/format.ts'
import { navigate } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterGroup } from '../../ui/filter-group.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { PersonSearch } from '../people/person-search.tsx'
import { type Filter, messagesPath, PERIODS, STATES } from './filter.ts'

type FiltersProps = { filter: Filter; types: readonly string[]; session: Session }

/** A filter starts at the first page. The browser's Back returns to the filter before. */
export function Filters({ filter, types, session }: FiltersProps) {
  const apply = (changes: Filter) => navigate(messagesPath({ ...filter, ...changes }))
  const named = useChannels().data?.items ?? []
  const channels = named.map(({ id, name }) => [id, name] as const)
  const active = Object.keys(filter).length
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <PersonFilter id={filter.person ?? ''} onChange={(person) => apply({ person })} />
      <FilterGroup active={active - (filter.person === undefined ? 0 : 1)}>
        <FilterSelect
          label="State"
          all="Any state"
          value={filter.state}
          options={STATES}
          onChange={(state) => apply({ state })}
        />
        <FilterSelect
          label="Type"
          all="Any type"
          value={filter.type}
          options={Object.fromEntries(types.map((type) => [type, typeText(type)]))}
          onChange={(type) => apply({ type })}
        />
        <FilterSelect
          label="Channel"
          all="Any channel"
          value={filter.channel}
          options={{
            ...Object.fromEntries(channels),
            ...(session.inbox && { [INBOX_CHANNEL]: 'inbox' }),
            default: 'default',
            unknown: 'unknown',
          }}
          onChange={(channel) => apply({ channel })}
        />
        <FilterSelect
          label="Period"
          all={filter.person === undefined ? 'Last 30 days' : 'Any time'}
          value={filter.period}
          options={PERIODS}
          onChange={(period) => apply({ period })}
        />
      </FilterGroup>
      {active > 0 && (
        <Button look="quiet" onClick={() => navigate('messages')}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** A search until a person is chosen, then their name with a button that removes it. */
function PersonFilter({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const person = useUser(id).data
  if (id === '')
    return (
      <PersonSearch compact label="Person" chosen="Any person   /" onPick={(user) => onChange(user.id)} />
    )
  const name = person === undefined ? id : fullName(person)
  return (
    <Button icon="close" aria-label={`Person ${name}: remove`} onClick={() => onChange('')}>
      {name}
    </Button>
  )
}
