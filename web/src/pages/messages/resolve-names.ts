// Which channel and person the terms of the query name.
import { BUILT_IN } from '../../../../src/domain/settings/channel.ts'
import { usePeople, useUser } from '../../api/people.ts'
import { useChannels } from '../../api/settings.ts'
import type { User } from '../../api/types.ts'
import type { Terms } from './query.ts'
import type { Names } from './request.ts'

export type Resolved = {
  /** Null while they are loaded, or if a name stands for nobody or for several people. */
  names: Names | null
  problem: string | null
  /** People who match a name that stands for several. */
  choices: readonly User[]
  person: User | null
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function useResolvedNames({ channel = '', person = '' }: Terms): Resolved {
  const channels = useChannels({ enabled: channel !== '' })
  const isId = ID.test(person)
  const byId = useUser(isId ? person : null)
  const found = usePeople({ search: person }, { limit: 7, enabled: person !== '' && !isId })
  const channelId = channelOf(channel, channels.data?.items)
  const people = isId ? [byId.data].filter((user) => user !== undefined) : matches(person, found)
  const only = people?.length === 1 ? people[0]! : null
  const userId = person === '' ? null : isId ? person : (only?.id ?? null)
  const isKnown = channelId !== undefined && channelId !== null && (person === '' || userId !== null)
  return {
    names: isKnown ? { channel: channelId === '' ? null : channelId, userId } : null,
    problem:
      channelId === null
        ? `No channel is named "${channel}".`
        : people?.length === 0 && person !== '' && !isId
          ? `No person is named "${person}".`
          : null,
    choices: people !== undefined && people.length > 1 ? people : [],
    person: only,
  }
}

/** Empty without a channel, null for an unknown name, undefined while the channels are loaded. */
function channelOf(
  channel: string,
  known: readonly { id: string; name: string }[] | undefined,
): string | null | undefined {
  if (channel === '' || channel === 'default' || channel === 'unknown' || ID.test(channel)) return channel
  if (known === undefined) return undefined
  const all = [...known, ...[...BUILT_IN].map(([id, name]) => ({ id, name }))]
  return all.find(({ name }) => name.toLowerCase() === channel.toLowerCase())?.id ?? null
}

/** A person with exactly this name comes before people whose names contain it. Undefined while they are loaded. */
function matches(
  name: string,
  { data, isPlaceholderData }: ReturnType<typeof usePeople>,
): readonly User[] | undefined {
  if (data === undefined || isPlaceholderData) return undefined
  const people = data.items.map(({ user }) => user)
  const exact = people.filter(
    ({ firstName, lastName }) => `${firstName} ${lastName}`.toLowerCase() === name.toLowerCase(),
  )
  return exact.length === 1 ? exact : people
}
