// The channels: set up, change, rotate, test, switch. Parses, calls the flow, writes the answer.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  type ChannelInput,
  type ChannelsDeps,
  changeChannel,
  createChannel,
  type Refused,
  rotateSecret,
  switchChannel,
  testChannel,
} from '../../app/channels/channels.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { ChannelRecord, ChannelSettings, ChannelStatus } from '../../domain/settings/channel.ts'
import { readJson } from '../server/body.ts'
import { entityTag, readIfMatch } from '../server/entity-tag.ts'
import { mount, type Operation } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import { type ChannelJson, channelJson, testBody } from './json.ts'
import {
  CHANGE_CHANNEL,
  ChannelChangeJson,
  CREATE_CHANNEL,
  DISABLE_CHANNEL,
  LIST_CHANNELS,
  NewChannelJson,
  NewSecretJson,
  PAUSE_CHANNEL,
  READ_CHANNEL,
  RESUME_CHANNEL,
  ROTATE_SECRET,
  TEST_CHANNEL,
  type TestedJson,
} from './operations.ts'

export function mountChannels(app: OpenAPIHono, deps: ChannelsDeps): void {
  mount(app, LIST_CHANNELS, async (c) => {
    const channels = await deps.store.listChannels()
    return c.json({ items: channels.map((channel) => channelJson(channel, channels, deps.clock.now())) })
  })
  mount(app, READ_CHANNEL, async (c) => answer(c, deps, idOf(c)))
  mount(app, CREATE_CHANNEL, (c) => create(c, deps))
  mount(app, CHANGE_CHANNEL, (c) => change(c, deps))
  mount(app, ROTATE_SECRET, (c) => rotate(c, deps))
  mount(app, TEST_CHANNEL, (c) => test(c, deps))
  const toStatus = (operation: Operation, status: ChannelStatus) =>
    mount(app, operation, async (c) => {
      const saved = await switchChannel(deps, idOf(c), status)
      return saved.kind === 'saved' ? answer(c, deps, saved.channel.id) : refusalOf(saved)
    })
  toStatus(PAUSE_CHANNEL, 'PAUSED')
  toStatus(RESUME_CHANNEL, 'ACTIVE')
  toStatus(DISABLE_CHANNEL, 'DISABLED')
}

async function create(c: Context, deps: ChannelsDeps): Promise<Response | Problem> {
  const body = await readBody(c, NewChannelJson)
  if (body instanceof Problem) return body
  const created = await createChannel(deps, readNew(body))
  if (created.kind !== 'saved') return refusalOf(created)
  const { channel, secret } = created
  c.header('Location', `/channel/${channel.id}`)
  return c.json({ channel: await currentJson(deps, channel), secret }, 201)
}

function readNew(body: z.infer<typeof NewChannelJson>): ChannelInput {
  const { name, isDefault = false, perSecond = null, concurrency = null } = body
  const limits = { perSecond, concurrency }
  if (body.kind === 'webhook') {
    const settings = { kind: body.kind, url: body.url, ...limits }
    return { name, settings, secret: body.secret ?? null, isDefault }
  }
  const { from, replyTo = null, listUnsubscribe = null } = body
  const mail = { from, replyTo, listUnsubscribe, ...limits }
  if (body.kind === 'smtp')
    return { name, settings: { kind: body.kind, ...mail }, secret: body.server, isDefault }
  const { baseUrl = 'https://api.resend.com', apiKey } = body
  return { name, settings: { kind: body.kind, baseUrl, ...mail }, secret: apiKey, isDefault }
}

async function change(c: Context, deps: ChannelsDeps): Promise<Response | Problem> {
  const ifVersion = readIfMatch(c.req.header('If-Match'))
  if (ifVersion instanceof Problem) return ifVersion
  const body = await readBody(c, ChannelChangeJson)
  if (body instanceof Problem) return body
  const { name, isDefault, ...settings } = body
  const known = (await deps.store.listChannels()).find(({ id }) => id === idOf(c))
  if (known === undefined) return refusalOf({ kind: 'missing' })
  const foreign = Object.keys(settings).filter((field) => !(field in known.settings))
  if (foreign.length > 0)
    return invalidInput(
      foreign.map((field) => ({
        field,
        code: 'UNKNOWN_FIELD',
        message: `A channel of kind ${known.settings.kind} has no "${field}". Leave it out.`,
      })),
    )
  const saved = await changeChannel(deps, known.id, {
    ifVersion,
    ...(name !== undefined && { name }),
    ...(isDefault !== undefined && { isDefault }),
    ...(Object.keys(settings).length > 0 && { settings: settings as Partial<ChannelSettings> }),
  })
  return saved.kind === 'saved' ? answer(c, deps, saved.channel.id) : refusalOf(saved)
}

async function rotate(c: Context, deps: ChannelsDeps): Promise<Response | Problem> {
  const body = await readBody(c, NewSecretJson)
  if (body instanceof Problem) return body
  const rotated = await rotateSecret(deps, idOf(c), body.secret ?? null)
  if (rotated.kind !== 'saved') return refusalOf(rotated)
  const { channel, secret } = rotated
  return c.json({ channel: await currentJson(deps, channel), secret })
}

async function test(c: Context, deps: ChannelsDeps): Promise<Response | Problem> {
  const tested = await testChannel(deps, idOf(c), testBody)
  if (tested.kind !== 'sent') return refusalOf(tested)
  const { result, tookMs } = tested
  const error = result.kind === 'delivered' ? null : result.error
  const json: z.infer<typeof TestedJson> = {
    delivered: result.kind === 'delivered',
    statusCode: result.statusCode,
    error,
    tookMs,
  }
  return c.json(json)
}

function idOf(c: Context): string {
  return parseUuid(c.req.param('id') ?? '') ?? ''
}

async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const read = checkShape(schema, body.json)
  return read.ok ? read.value : invalidInput(read.problems)
}

async function answer(c: Context, deps: ChannelsDeps, id: string): Promise<Response | Problem> {
  const channel = (await deps.store.listChannels()).find((one) => one.id === id)
  if (channel === undefined) return refusalOf({ kind: 'missing' })
  c.header('ETag', entityTag(channel))
  return c.json(await currentJson(deps, channel))
}

async function currentJson(deps: ChannelsDeps, channel: ChannelRecord): Promise<z.infer<typeof ChannelJson>> {
  return channelJson(channel, await deps.store.listChannels(), deps.clock.now())
}

function refusalOf(refused: Refused): Problem {
  switch (refused.kind) {
    case 'invalid':
      return invalidInput(refused.problems)
    case 'missing':
      return new Problem('CHANNEL_NOT_FOUND', 'GET /channel lists those there are.')
    case 'taken':
      return new Problem('CHANNEL_NAME_TAKEN', 'Choose another name.')
    case 'outdated':
      return new Problem('OUTDATED', 'Read it again, then change it.')
    case 'managed':
      return new Problem('CHANNEL_MANAGED', 'Change WEBHOOK_URL or WEBHOOK_SECRET and start again.')
    case 'no-vault':
      return new Problem(
        'SECRET_KEY_MISSING',
        'Set TERCE_SECRET_KEY to 32 bytes in base64 (openssl rand -base64 32) and start again.',
      )
  }
}
