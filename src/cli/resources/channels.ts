// `terce channels`: where messages go.
import type { Client, components } from '../../client/client.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { endOf, findChannel } from '../commands/hold.ts'
import { addGroup, fields, type OptionValues, picked, type Spec, table } from './group.ts'

type Channel = components['schemas']['Channel']

async function pathOf(client: Client, name: string): Promise<{ id: string }> {
  return { id: (await findChannel(client, name))!.id }
}

function stateOf({ status, statusReason, pausedUntil, downSince }: Channel): string {
  const until = pausedUntil === null ? '' : ` until ${pausedUntil}`
  if (status !== 'ACTIVE') return `${status}${until}${statusReason === null ? '' : `: ${statusReason}`}`
  return downSince === null ? status : `DOWN since ${downSince}`
}

const LIMITS = [
  ['--per-second <number>', 'messages per second at most; none for no limit'],
  ['--concurrency <number>', 'messages at a time at most; none for no limit'],
] as const

function limitsOf(given: OptionValues): { perSecond?: number | null; concurrency?: number | null } {
  const texts = Object.entries<string | undefined>(picked(given, ['perSecond', 'concurrency']))
  const numbers = texts.map(([name, text = '']) => {
    if (text !== 'none' && !/^[1-9]\d{0,8}$/.test(text)) throw new ConfigError([`${text} is not a limit.`])
    return [name, text === 'none' ? null : Number(text)]
  })
  return Object.fromEntries(numbers)
}

const CHANNELS: Spec[] = [
  {
    usage: 'list',
    description: 'list the channels and their state',
    examples: ['channels list'],
    async run({ client }) {
      const { items } = await client.get('/channel')
      const rows = items.map((one) => [
        one.name,
        one.kind,
        one.isDefault ? 'default' : '',
        stateOf(one),
        one.url ?? one.from ?? '',
      ])
      const none = 'No channels: messages go to the inbox.'
      return { json: items, text: items.length === 0 ? none : table(rows) }
    },
  },
  {
    usage: 'show <channel>',
    description: 'show a channel, by name or id',
    examples: ['channels show crm'],
    async run({ client, args }) {
      const channel = await client.get('/channel/{id}', { path: await pathOf(client, args[0]!) })
      const { secrets, status: _, ...rest } = channel
      return {
        json: [channel],
        text: fields({ ...rest, state: stateOf(channel), secrets: secrets.length }),
      }
    },
  },
  {
    usage: 'add <name>',
    description: 'add a webhook',
    options: [
      ['!--to <url>', 'the address that gets the messages'],
      ['--default', 'send to it by default'],
      ...LIMITS,
    ],
    examples: ['channels add crm --to https://crm.example.com/hook --default'],
    async run({ client, args, given }) {
      const created = await client.post('/channel', {
        body: {
          kind: 'webhook',
          name: args[0]!,
          url: given.to as string,
          isDefault: given.default === true,
          ...limitsOf(given),
        },
      })
      const text = `Added ${created.channel.name}. Its signing secret, which is not shown again: ${created.secret}`
      return { json: [created], text }
    },
  },
  {
    usage: 'edit <channel>',
    description: 'change a channel',
    options: [
      ['--name <name>', 'another name'],
      ['--to <url>', 'another address'],
      ['--default <yes|no>', 'whether messages go to it by default', ['yes', 'no']],
      ...LIMITS,
    ],
    examples: ['channels edit crm --per-second 20', 'channels edit crm --default no'],
    async run({ client, args, given }) {
      const body = {
        ...picked(given, ['name']),
        ...(typeof given.to === 'string' && { url: given.to }),
        ...(given.default !== undefined && { isDefault: given.default === 'yes' }),
        ...limitsOf(given),
      }
      const channel = await client.put('/channel/{id}', { path: await pathOf(client, args[0]!), body })
      return { json: [channel], text: `Changed ${channel.name}.` }
    },
  },
  {
    usage: 'pause <channel>',
    description: 'let the messages of a channel wait, as terce hold --channel does',
    options: [['--until <when>', 'the end: a time such as 14:00, a duration such as 2h, or an instant']],
    examples: ['channels pause crm --until 2h'],
    async run({ client, args, given, entry }) {
      const until =
        typeof given.until === 'string' ? formatInstant(endOf({ until: given.until }, entry.now)) : null
      const paused = await client.post('/channel/{id}/pause', {
        path: await pathOf(client, args[0]!),
        body: { until },
      })
      const end = paused.pausedUntil === null ? 'until it is resumed' : `until ${paused.pausedUntil}`
      return { json: [paused], text: `${paused.name} is ${paused.status} ${end}. Its messages wait.` }
    },
  },
  {
    usage: 'resume <channel>',
    description: 'send the messages of a channel that wait',
    examples: ['channels resume crm'],
    async run({ client, args }) {
      const resumed = await client.post('/channel/{id}/resume', { path: await pathOf(client, args[0]!) })
      return { json: [resumed], text: `${resumed.name} is ${resumed.status}.` }
    },
  },
  {
    usage: 'test <channel>',
    description: 'send a test request to a channel, and print the response',
    examples: ['channels test crm'],
    async run({ client, args }) {
      const tested = await client.post('/channel/{id}/test', { path: await pathOf(client, args[0]!) })
      const { delivered, statusCode, error, tookMs } = tested
      const how = error ?? `HTTP ${statusCode}`
      if (!delivered) throw new Error(`Not delivered after ${tookMs} ms: ${how}.`)
      return { json: [tested], text: `Delivered in ${tookMs} ms${statusCode === null ? '' : `: ${how}`}.` }
    },
  },
]

export const addChannels = addGroup('channels', 'list, show, add, edit, pause and test channels', CHANNELS)
