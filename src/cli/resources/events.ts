// `terce events`: the messages, past and planned.

import { EVENT_STATUSES } from '../../domain/events/event-status.ts'
import { fullName } from '../../domain/users/full-name.ts'
import { explanationOf } from '../commands/explain.ts'
import { brief } from '../output/schedule-lines.ts'
import { shortDuration } from '../output/words.ts'
import { followEvents, type ListedEvent } from './follow.ts'
import { addGroup, firstOf, LIMIT, picked, type Spec, table } from './group.ts'
import { personOf } from './people.ts'

const EVENTS: Spec[] = [
  {
    usage: 'list',
    description: 'list events, the newest first',
    options: [
      ['--status <status>', 'only events in this state', EVENT_STATUSES],
      ['--person <person>', 'only events of this person, by id or external id'],
      ['--type <type>', 'only events of this type'],
      ['--reason <text>', 'only events whose failure reason begins with this text'],
      LIMIT,
      ['--follow', 'begin with the latest settled events, and print each event when it is settled'],
    ],
    examples: ['events list --person crm-4711 --json', 'events --follow --status FAILED'],
    async run({ client, given }) {
      if (given.follow)
        return followEvents(client, given, (event) =>
          console.log(given.json ? JSON.stringify(event) : rowOf(event).join('  ')),
        )
      const query = { order: 'newest' as const, ...picked(given, ['status', 'type', 'reason']) }
      const events = await firstOf(
        typeof given.person === 'string'
          ? client.events.ofUser((await personOf(client, given.person)).id, query)
          : client.events.list(query),
        given,
      )
      return { json: events, text: events.length === 0 ? 'No events.' : table(events.map(rowOf)) }
    },
  },
  {
    usage: 'show <event>',
    description: 'show the history of an event, as terce explain does',
    examples: ['events show 01a1de6f-5280-70d2-8169-02eccccbeee5'],
    async run({ client, args }) {
      const { json, text } = await explanationOf(client, args[0]!)
      return { json: [json], text }
    },
  },
  {
    usage: 'replay <event>',
    description: 'send a failed event again; terce replay sends many',
    options: [['--new-key', 'render the message again, and send it under a new key']],
    examples: ['events replay 01a1de6f-5280-70d2-8169-02eccccbeee5'],
    async run({ client, args, given }) {
      const body = { newKey: given.newKey === true }
      const event = await client.post('/event/{id}/replay', { path: { id: args[0]! }, body })
      return { json: [event], text: `Event ${event.id} sends the message again.` }
    },
  },
]

function rowOf(event: ListedEvent): string[] {
  return [
    event.id,
    event.status,
    `${event.eventType} ${event.occurrence}`,
    fullName(event),
    brief(event.targetTimestampLocal),
    event.failureReason ?? (event.status === 'COMPLETED' ? delayOf(event) : ''),
  ]
}

function delayOf({ executedAt, targetTimestampUTC }: ListedEvent): string {
  const delayMs = Date.parse(executedAt!) - Date.parse(targetTimestampUTC)
  return `${shortDuration(Math.abs(delayMs))} ${delayMs < 0 ? 'before' : 'after'} it was due`
}

export const addEvents = addGroup('events', 'list, show and replay messages', EVENTS)
