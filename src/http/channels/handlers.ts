// The channels: create, change, delete, rotate, test, hold, release, disable.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { entityTag } from '../../api/entity-tag.ts'
import { invalidInput, Problem } from '../../api/problem.ts'
import {
  type ChannelInput,
  type ChannelsDeps,
  changeChannel,
  createChannel,
  deleteChannel,
  type Rejected,
  rotateSecret,
  setChannelStatus,
} from '../../app/channels/channels.ts'
import { holdAll, holdChannel, type NewHold, releaseAll, releaseChannel } from '../../app/channels/hold.ts'
import { testChannel } from '../../app/channels/send-test.ts'
import type { ChannelKind, ChannelRecord, ChannelSettings } from '../../domain/settings/channel.ts'
import { noteForAudit } from '../server/audit.ts'
import { mount } from '../server/operation.ts'
import type { NewChannelJson } from './input.ts'
import { type ChannelJson, channelJson, channelNotFound, statusJson, testBody } from './json.ts'
import {
  CHANGE_CHANNEL,
  CREATE_CHANNEL,
  DELETE_CHANNEL,
  DISABLE_CHANNEL,
  HOLD_ALL,
  HOLD_CHANNEL,
  LIST_CHANNELS,
  READ_CHANNEL,
  RELEASE_ALL,
  RELEASE_CHANNEL,
  ROTATE_SECRET,
  TEST_CHANNEL,
  type TestedJson,
} from './operations.ts'

export function mountChannels(api: OpenAPIHono, deps: ChannelsDeps): void {
  mount(api, LIST_CHANNELS, async ({ c }) => {
    const all = await readAll(deps)
    const items = all.channels.map((channel) => channelJson(channel, all, deps.clock.now()))
    const { vault, allowedTargets } = forCaller(c, deps)
    return c.json({ items, canStoreSecrets: vault !== null, allowedTargets })
  })

  mount(api, READ_CHANNEL, async ({ c, params }) => show(c, deps, await findChannel(deps, params.id)))

  mount(api, CREATE_CHANNEL, async ({ c, body }) => {
    const { channel, secret } = saved(await createChannel(forCaller(c, deps), readNew(body)))
    c.header('Location', `/channel/${channel.id}`)
    return c.json({ channel: await currentJson(deps, channel), secret }, 201)
  })

  mount(api, CHANGE_CHANNEL, async ({ c, params, headers, body }) => {
    const { name, isDefault, apiKey: secret, ...settings } = body
    const known = await findChannel(deps, params.id)
    const foreign = foreignIn(known, settings, secret)
    if (foreign.length > 0) throw notInKind(known, foreign)
    const isMoved = 'url' in settings || 'baseUrl' in settings
    const result = await changeChannel(isMoved ? forCaller(c, deps) : deps, known.id, {
      ifVersion: headers['If-Match'],
      ...(name !== undefined && { name }),
      ...(isDefault !== undefined && { isDefault }),
      ...(secret !== undefined && { secret }),
      ...(Object.keys(settings).length > 0 && { settings: settings as Partial<ChannelSettings> }),
    })
    noteForAudit(c, { object: { kind: 'channel', id: known.id }, details: changeFor(known, body) })
    return show(c, deps, saved(result).channel)
  })

  mount(api, DELETE_CHANNEL, async ({ c, params }) => {
    const result = await deleteChannel(deps, params.id)
    if (result.kind !== 'deleted') throw problemOf(result)
    return c.body(null, 204)
  })

  mount(api, ROTATE_SECRET, async ({ c, params, body }) => {
    // The secret of an SMTP channel names its server.
    const allowed = body.secret === undefined ? deps : forCaller(c, deps)
    const { channel, secret } = saved(await rotateSecret(allowed, params.id, body.secret ?? null))
    return c.json({ channel: await currentJson(deps, channel), secret })
  })

  mount(api, TEST_CHANNEL, async ({ c, params }) => {
    const tested = await testChannel(deps, params.id, testBody)
    if (tested.kind !== 'sent') throw problemOf(tested)
    const { result, response, tookMs } = tested
    const json: z.infer<typeof TestedJson> = {
      delivered: result.kind === 'delivered',
      statusCode: result.statusCode,
      error: result.kind === 'delivered' ? null : result.error,
      response,
      tookMs,
    }
    return c.json(json)
  })

  mount(api, DISABLE_CHANNEL, async ({ c, params }) =>
    show(c, deps, saved(await setChannelStatus(deps, params.id, 'DISABLED')).channel),
  )

  mount(api, HOLD_CHANNEL, async ({ c, params, body }) =>
    c.json(statusJson(saved(await holdChannel(deps, params.id, holdOf(c, body))).status)),
  )

  mount(api, RELEASE_CHANNEL, async ({ c, params }) =>
    c.json(statusJson(saved(await releaseChannel(deps, params.id)).status)),
  )

  mount(api, HOLD_ALL, async ({ c, body }) => {
    const { statuses } = saved(await holdAll(deps, holdOf(c, body)))
    return c.json({ items: statuses.map(statusJson) })
  })

  mount(api, RELEASE_ALL, async ({ c }) => c.json({ items: (await releaseAll(deps)).map(statusJson) }))
}

/** A caller with a key may be elsewhere, behind a proxy on this machine: loopback is not their own computer. */
function forCaller(c: Context, deps: ChannelsDeps): ChannelsDeps {
  if (deps.allowedTargets !== 'loopback' || c.get('keyId') === null) return deps
  return { ...deps, allowedTargets: 'public' }
}

function holdOf(c: Context, { until = null }: { until?: number | null | undefined }): NewHold {
  return { until, by: c.get('keyName') ?? null }
}

const LIMITS = ['perSecond', 'concurrency']
const MAIL = ['from', 'replyTo', 'listUnsubscribe', ...LIMITS]

/** The settings of each kind that can be changed. */
const FIELDS: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: ['url', ...LIMITS],
  smtp: ['allowPlaintext', ...MAIL],
  resend: ['baseUrl', ...MAIL],
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
  if (body.kind === 'smtp') {
    const { allowPlaintext = false, server } = body
    return { name, settings: { kind: body.kind, allowPlaintext, ...mail }, secret: server, isDefault }
  }
  const { baseUrl = 'https://api.resend.com', apiKey } = body
  return { name, settings: { kind: body.kind, baseUrl, ...mail }, secret: apiKey, isDefault }
}

/** The fields that a channel of its kind does not have. */
function foreignIn(
  { settings: { kind } }: ChannelRecord,
  given: object,
  secret: string | undefined,
): string[] {
  const foreign = Object.keys(given).filter((field) => !FIELDS[kind].includes(field))
  return secret !== undefined && kind !== 'resend' ? [...foreign, 'apiKey'] : foreign
}

/** The names of the changed fields, and the host before a change of the URL: another host looks like another limit otherwise. */
function changeFor({ settings }: ChannelRecord, body: object): Record<string, string> {
  const place = 'url' in settings ? settings.url : 'baseUrl' in settings ? settings.baseUrl : null
  const isMoved = 'url' in body || 'baseUrl' in body
  const fields = Object.keys(body).sort().join(', ')
  return { fields, ...(isMoved && place !== null && { hostBefore: new URL(place).host }) }
}

function notInKind({ settings: { kind } }: ChannelRecord, fields: readonly string[]): Problem {
  return invalidInput(
    fields.map((field) => ({
      field,
      code: 'UNKNOWN_FIELD',
      message: `A channel of kind ${kind} has no "${field}". Leave it out.`,
    })),
  )
}

async function findChannel(deps: ChannelsDeps, id: string): Promise<ChannelRecord> {
  const channel = (await deps.store.listChannels()).find((one) => one.id === id)
  if (channel === undefined) throw channelNotFound()
  return channel
}

async function show(c: Context, deps: ChannelsDeps, channel: ChannelRecord): Promise<Response> {
  c.header('ETag', entityTag(channel))
  return c.json(await currentJson(deps, channel))
}

async function currentJson(deps: ChannelsDeps, channel: ChannelRecord): Promise<z.infer<typeof ChannelJson>> {
  return channelJson(channel, await readAll(deps), deps.clock.now())
}

async function readAll({ store }: ChannelsDeps) {
  const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
  return { channels, destinations }
}

function saved<T extends { kind: 'saved' }>(result: T | Rejected): T {
  if (result.kind === 'saved') return result as T
  throw problemOf(result as Rejected)
}

function problemOf(rejected: Rejected): Problem {
  switch (rejected.kind) {
    case 'invalid':
      return invalidInput(rejected.problems)
    case 'missing':
      return channelNotFound()
    case 'taken':
      return new Problem('CHANNEL_NAME_TAKEN', 'Choose another name.')
    case 'outdated':
      return new Problem('OUTDATED', 'Read the channel again, then repeat your change.')
    case 'managed':
      return new Problem(
        'CHANNEL_MANAGED',
        'Change WEBHOOK_URL or WEBHOOK_SECRET, then restart. Only the limits and isDefault can be set here.',
      )
    case 'disabled':
      return new Problem('CHANNEL_DISABLED', 'Release the channel first, then hold it.')
    case 'default':
      return new Problem(
        'CHANNEL_IN_USE',
        'It is the default channel. Set isDefault to false first, or make another channel the default.',
      )
    case 'in-use':
      return new Problem(
        'CHANNEL_IN_USE',
        'Occasions name it, or open events were last sent to it. Give the occasions another channel, and wait until the events are settled.',
      )
    case 'unusable':
      return new Problem('CHANNEL_UNUSABLE', rejected.reason)
    case 'no-vault':
      return new Problem(
        'SECRET_KEY_MISSING',
        'Set TERCE_SECRET_KEY to 32 bytes in base64 (openssl rand -base64 32), or restore the key file beside the SQLite file, then restart.',
      )
  }
}
