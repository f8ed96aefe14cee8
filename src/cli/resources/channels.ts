// `terce channels`: where messages go.
import type { Client, components } from '../../client/client.ts'
import { BUILT_IN, INBOX_CHANNEL } from '../../domain/settings/channel.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { findChannel } from '../commands/hold.ts'
import { addGroup, fields, type OptionValues, picked, type Spec, table } from './group.ts'

type Health = components['schemas']['ChannelHealth']

async function pathOf(client: Client, name: string): Promise<{ id: string }> {
  return { id: (await findChannel(client, name)).id }
}

type State = Pick<Health, 'status' | 'statusReason' | 'heldUntil' | 'downSince'>

function stateOf({ status, statusReason, heldUntil, downSince }: State): string {
  const until = heldUntil === null ? '' : ` until ${heldUntil}`
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
      const inbox = await client.get('/channel/{id}/health', { path: { id: INBOX_CHANNEL } })
      const all = [...items, { ...inbox, kind: 'built-in', url: null, from: null }]
      const rows = all.map((one) => [
        one.name,
        one.kind,
        one.isDefault ? 'default' : '',
        stateOf(one),
        one.url ?? one.from ?? '',
      ])
      return { json: [...items, inbox], text: table(rows) }
    },
  },
  {
    usage: 'show <channel>',
    description: 'show a channel, by name or id',
    examples: ['channels show crm'],
    async run({ client, args }) {
      const path = await pathOf(client, args[0]!)
      if (BUILT_IN.has(path.id)) {
        const health = await client.get('/channel/{id}/health', { path })
        const { last24h, status: _, ...rest } = health
        return { json: [health], text: fields({ ...rest, state: stateOf(health) }) }
      }
      const channel = await client.get('/channel/{id}', { path })
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

export const addChannels = addGroup('channels', 'list, show, add, edit and test channels', CHANNELS)
