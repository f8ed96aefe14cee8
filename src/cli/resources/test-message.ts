// `terce test`: sends one test message to a person, and deletes it, delivered or not, so that no page and no ledger has it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import { INBOX_CHANNEL } from '../../domain/settings/channel.ts'
import { formatLocal } from '../../domain/time/timestamp.ts'
import { tzdb } from '../../domain/time/tzdb.ts'
import { fullName } from '../../domain/users/full-name.ts'
import { findChannel } from '../commands/hold.ts'
import type { AddCommand } from '../entry.ts'
import { confirm } from '../output/confirm.ts'
import { addOne, type Spec } from './group.ts'
import { personOf } from './people.ts'

const WAIT_MS = 20_000

const TEST: Spec = {
  usage: 'test <person>',
  description: 'send a test message to a person, by default to the inbox',
  options: [
    ['--channel <name>', 'send it over this channel to the real receiver'],
    ['--text <text>', 'the text, with variables such as {{ firstName }}'],
    ['--yes', 'do not ask before it is sent over a channel'],
  ],
  examples: ['test crm-4711', 'test crm-4711 --channel crm --yes'],
  async run({ client, args, given, entry }) {
    const user = await personOf(client, args[0]!)
    const channel = await channelFor(client, given.channel as string | undefined)
    const to = `${fullName(user)} (${user.externalId ?? user.id}) over ${channel?.name ?? 'the inbox'}`
    console.error(`A test message to ${to}.`)
    if (channel !== null) await confirm('Send it to the receiver of this channel?', given.yes === true)
    const { id, next } = await client.occasions.create(user.id, {
      type: 'TEST_MESSAGE',
      date: dateIn(user.timezone, entry.now),
      localTime: '00:00',
      repeats: 'ONCE',
      template:
        typeof given.text === 'string' ? given.text : 'Hello, {{ firstName }}! This is a test message.',
      sendTodayNow: true,
      ...(channel && { channel: channel.id }),
    })
    const event = await settled(client, next!.eventId).finally(() => client.occasions.delete(id))
    const why = event.failureReason ?? event.lastError
    const more = why === null ? '' : ` ${why}.`
    if (event.status === 'FAILED') throw new Error(`The test message failed.${more}`)
    if (event.status !== 'COMPLETED')
      throw new Error(`Not delivered after ${WAIT_MS / 1000} s, and deleted.${more}`)
    return { json: [event], text: `Delivered to ${to}.` }
  },
}

/** Null for the inbox. A message goes to a real receiver only if the caller has named its channel. */
async function channelFor(client: Client, name = 'inbox'): Promise<{ id: string; name: string } | null> {
  const named = await findChannel(client, name)
  if (named.id !== INBOX_CHANNEL) return named
  const elsewhere = (await client.get('/channel')).items.find(({ isDefault }) => isDefault)
  if (elsewhere === undefined) return null
  throw new Error(
    `Nothing was sent: messages go to ${elsewhere.name} and not to the inbox. Use --channel ${elsewhere.name} to send it there.`,
  )
}

async function settled(client: Client, id: string) {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const event = await client.events.get(id)
    if (event.status === 'COMPLETED' || event.status === 'FAILED' || Date.now() > end) return event
    await sleep(250)
  }
}

function dateIn(timezone: string, now: number): string {
  return formatLocal(now, tzdb.zone(timezone).offsetMsAt(now) / 1000).slice(0, 10)
}

export const addTest: AddCommand = (program, entry) => addOne(program, TEST, entry)
