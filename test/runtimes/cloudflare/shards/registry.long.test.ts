// The registry in workerd: its channels and templates reach every shard, also after a failed push.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENVIRONMENT_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { type Sink, startSink } from '../../support/sink.ts'

const SHARDS = 4

let sink: Sink
let shards: Shards
let registry: Store
let status = 200

beforeAll(async () => {
  sink = await startSink((response) => {
    response.statusCode = status
    response.end()
  })
  shards = await startShards({
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    SHARDS: String(SHARDS),
    LOG_LEVEL: 'silent',
  })
  registry = shards.storeOf('registry')
})
afterAll(async () => {
  await shards.stop()
  await sink.close()
})

const template = (type: string) => ({
  type,
  language: '',
  subject: null,
  body: 'Hello',
  version: 1,
  createdAt: 1,
  updatedAt: 1,
})

/** The shards that have the template. */
async function shardsWith(type: string): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < SHARDS; i++)
    if ((await shards.storeOf(i).listTemplates()).some((stored) => stored.type === type)) found.push(i)
  return found
}

const inEveryShard = (type: string) =>
  until(
    'every shard has the template',
    () => shardsWith(type),
    ({ length }) => length === SHARDS,
  )

describe('the registry', () => {
  it('has the number of shards of its first start', async () => {
    expect(await shards.ask('registry', 'shardCount')).toBe(SHARDS)
  })

  it('pushes a new template and its removal to every shard', async () => {
    expect(await registry.saveTemplate(template('PUSHED'))).toBe('saved')
    await inEveryShard('PUSHED')
    expect(await registry.removeTemplate({ type: 'PUSHED', language: '' })).toBe(true)
    await until(
      'no shard has it',
      () => shardsWith('PUSHED'),
      ({ length }) => length === 0,
    )
  })

  it('pushes again to the shards that a push did not reach', async () => {
    await shards.ask(0, 'refusePushes', 3)
    await registry.saveTemplate(template('REFUSED'))
    await inEveryShard('REFUSED')
  })

  it('is asked by a shard whose version is older than the one of the ping', async () => {
    await registry.saveTemplate(template('PULLED'))
    await inEveryShard('PULLED')
    await shards.ask(2, 'forgetSettings')
    expect(await shardsWith('PULLED')).toEqual([0, 1, 3])
    await shards.ask(2, 'ping', await shards.ask('registry', 'ping'), null)
    expect(await shardsWith('PULLED')).toEqual([0, 1, 2, 3])
  })

  it('is told by a shard of a receiver that is gone, and tells the others', async () => {
    status = 410
    const person = makePerson()
    await shards
      .storeOf(1)
      .createUsers([{ ...person, events: [{ ...person.events[0]!, targetAt: Date.now() }] }])
    const statusIn = async (store: Store) =>
      (await store.listChannels()).find(({ id }) => id === ENVIRONMENT_CHANNEL)?.status
    for (const store of [registry, shards.storeOf(3), shards.storeOf(1)])
      await until(
        'the channel is disabled',
        () => statusIn(store),
        (seen) => seen === 'DISABLED',
      )
  })
})
