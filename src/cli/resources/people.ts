// `terce people`: the people and their occasions.

import type { Client, User } from '../../client/client.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { fullName } from '../../domain/users/full-name.ts'
import { FIELD_NAMES, USER_FIELDS, type UserField } from '../../domain/users/user-fields.ts'
import { confirm } from '../output/confirm.ts'
import { brief } from '../output/schedule-lines.ts'
import { countEvents } from '../output/words.ts'
import { addGroup, fields, firstOf, LIMIT, picked, type Spec, table } from './group.ts'

/** By the id of Terce, or by the external id. */
export function personOf(client: Client, text: string): Promise<User> {
  return client.users.get(parseUuid(text) ?? { externalId: text })
}

/** Such as `--first-name <name>`. */
const FLAGS = FIELD_NAMES.map((name) => {
  const { title, flagValue, example, required } = USER_FIELDS[name]
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <${flagValue}>`
  return { flag, required, text: `${title.toLowerCase()}, such as ${example}` }
})

const PEOPLE: Spec[] = [
  {
    usage: 'list',
    description: 'list people, each with the next message',
    options: [
      ['--search <text>', 'words of a name, an e-mail address or an id'],
      ['--timezone <zone>', 'only people in this timezone'],
      ['--type <type>', 'only people with an occasion of this type'],
      ['--failed', 'only people with a failed message that was not delivered since'],
      ['--paused', 'only people with a paused occasion'],
      LIMIT,
    ],
    examples: ['people list --search love', 'people list --failed --json'],
    async run({ client, given }) {
      const query = {
        ...picked(given, ['search', 'timezone', 'type']),
        ...(given.failed && { failed: 'true' as const }),
        ...(given.paused && { paused: 'true' as const }),
      }
      const people = await firstOf(client.each('/user', { query }), given)
      const rows = people.map((user) => [
        user.externalId ?? user.id,
        fullName(user),
        user.timezone,
        user.next === null ? 'no message planned' : `${user.next.type} ${brief(user.next.local)}`,
      ])
      return { json: people, text: people.length === 0 ? 'No people.' : table(rows) }
    },
  },
  {
    usage: 'show <person>',
    description: 'show a person and the occasions, by id or external id',
    examples: ['people show crm-4711'],
    async run({ client, args }) {
      const user = await personOf(client, args[0]!)
      const { items } = await client.occasions.ofUser(user.id)
      const rows = items.map(({ id, type, repeats, localTime, next, nextReason }) => [
        id,
        type,
        `${repeats} ${localTime}`,
        next === null ? nextReason! : brief(next.targetTimestampLocal),
      ])
      const { firstName: _, lastName: __, ...rest } = user
      return {
        json: [{ ...user, occasions: items }],
        text: `${fields({ name: fullName(user), ...rest })}\n\n${table(rows)}`,
      }
    },
  },
  {
    usage: 'add',
    description: 'add a person',
    options: FLAGS.map(({ flag, required, text }) => [`${required ? '!' : ''}${flag}`, text]),
    examples: [
      'people add --first-name Ada --last-name Lovelace --date-of-birth 1990-12-15 --timezone Europe/London',
      'people add --first-name Ada --date-of-birth=--12-15 --timezone Europe/London',
    ],
    async run({ client, given }) {
      // Commander has checked that the required ones are there.
      const body = picked(given, FIELD_NAMES) as Required<ReturnType<typeof picked<UserField>>>
      const created = await client.users.create(body)
      const { user, nextBirthdayEvent } = created
      const due = nextBirthdayEvent && brief(nextBirthdayEvent.targetTimestampLocal)
      const then = due === null ? '' : ` The first message is due ${due}.`
      return { json: [created], text: `Added ${fullName(user)}, ${user.id}.${then}` }
    },
  },
  {
    usage: 'edit <person>',
    description: 'change a person',
    options: [
      ...FLAGS.map(({ flag, text }) => [flag, text] as const),
      ['--dry-run', 'only print what would be rescheduled'],
    ],
    examples: ['people edit crm-4711 --timezone Asia/Tokyo --dry-run'],
    async run({ client, args, given }) {
      const { id } = await personOf(client, args[0]!)
      const query = { dryRun: given.dryRun === true }
      const changed = await client.put('/user/{id}', {
        path: { id },
        query,
        body: picked(given, FIELD_NAMES),
      })
      const [done, moved] = query.dryRun ? ['Would change', 'would be'] : ['Changed', 'were']
      const text = `${done} ${fullName(changed.user)}. ${countEvents(changed.rescheduled)} ${moved} rescheduled.`
      return { json: [changed], text }
    },
  },
  ...(['pause', 'resume'] as const).map((to): Spec => {
    const [done, then] =
      to === 'pause'
        ? ['Paused', ' Messages that fall due are not sent later; terce hold lets them wait instead.']
        : ['Resumed', '']
    return {
      usage: `${to} <person>`,
      description: `${to} the occasions of a person`,
      options: [['--type <type>', 'only occasions of this type']],
      examples: [`people ${to} crm-4711 --type BIRTHDAY`],
      async run({ client, args, given }) {
        const user = await personOf(client, args[0]!)
        const body = { filter: { ids: [user.id] }, ...picked(given, ['type']) }
        const result = await client.post(`/people/${to}`, { body })
        const count = `${result.changed} ${result.changed === 1 ? 'occasion' : 'occasions'}`
        return { json: [result], text: `${done} ${count} of ${fullName(user)}.${result.changed ? then : ''}` }
      },
    }
  }),
  {
    usage: 'delete <person>',
    description: 'delete a person and their history permanently',
    options: [['--yes', 'do not ask']],
    examples: ['people delete crm-4711 --yes'],
    async run({ client, args, given }) {
      const user = await personOf(client, args[0]!)
      await confirm(`Delete ${fullName(user)}, ${user.id}, permanently?`, given.yes === true)
      await client.users.delete(user.id)
      return { json: [{ id: user.id, deleted: true }], text: `Deleted ${fullName(user)}.` }
    },
  },
]

export const addPeople = addGroup('people', 'list, show, add, edit, pause and delete people', PEOPLE)
