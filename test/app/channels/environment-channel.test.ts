// The channel of WEBHOOK_URL follows the environment of the process that starts last.
import { beforeEach, describe, expect, it } from 'vitest'
import { keepEnvironmentChannel } from '../../../src/app/channels/environment-channel.ts'
import { BUILT_IN, ENVIRONMENT_CHANNEL } from '../../../src/domain/settings/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestClock } from '../../support/fixtures.ts'

const URL = 'https://crm.example/hook'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER_SECRET = 'whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGVz'

let store: Store
let notices: Notice[]
const clock = createTestClock(Date.parse('2026-06-15T08:00:00Z'))
beforeEach(() => {
  store = openSqliteStore(':memory:')
  notices = []
})

function start(url: string | null, secrets: string[] = [SECRET]): Promise<void> {
  const telemetry = (notice: Notice) => void notices.push(notice)
  return keepEnvironmentChannel({ store, clock, telemetry }, url === null ? null : { url, secrets })
}

async function stored() {
  return (await store.listChannels()).find(({ id }) => id === ENVIRONMENT_CHANNEL)!
}

function stop(to: 'HELD' | 'DISABLED', reason: string | null) {
  return store.setChannelStatus({ id: ENVIRONMENT_CHANNEL, from: 'ACTIVE', to, reason, at: clock.now() })
}

describe('the channel of WEBHOOK_URL, held because the receiver rejected its signature,', () => {
  beforeEach(async () => {
    await start(URL)
    await stop('HELD', 'HTTP 401')
  })

  it('is released by a start with another secret', async () => {
    await start(URL, [OTHER_SECRET])
    expect(await stored()).toMatchObject({ status: 'ACTIVE', statusReason: null })
  })

  it('is released by a start with another URL', async () => {
    await start(`${URL}/v2`)
    expect(await stored()).toMatchObject({ status: 'ACTIVE', statusReason: null })
  })

  it('stays held after a start with the old URL and secret', async () => {
    await start(URL)
    expect(await stored()).toMatchObject({ status: 'HELD', statusReason: 'HTTP 401' })
  })
})

it('The channel of WEBHOOK_URL stays disabled after a start with another secret if an operator disabled it', async () => {
  await start(URL)
  await stop('DISABLED', null)
  await start(URL, [OTHER_SECRET])
  expect(await stored()).toMatchObject({ status: 'DISABLED', statusReason: null })
})

it('The stored channel of WEBHOOK_URL holds no text of a secret', async () => {
  await start(URL)
  const text = JSON.stringify(await stored())
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(SECRET.slice('whsec_'.length))
})

describe('a process that starts with another environment', () => {
  it('reports the URL that it replaces, without its query', async () => {
    await start(`${URL}?token=1`)
    expect(notices).toEqual([])
    await start('https://other.example/?token=2')
    expect(notices).toEqual([
      { kind: 'environment', state: 'replaced', what: 'url', from: URL, to: 'https://other.example/' },
    ])
  })

  it('reports a secret that it replaces', async () => {
    await start(URL)
    await start(URL, [OTHER_SECRET])
    expect(notices).toEqual([{ kind: 'environment', state: 'replaced', what: 'secret', from: URL, to: URL }])
  })

  it('reports that it removes the default channel if it has no WEBHOOK_URL', async () => {
    await start(URL)
    await start(null)
    expect(notices).toEqual([{ kind: 'environment', state: 'replaced', what: 'url', from: URL, to: null }])
    await start(null)
    expect(notices).toHaveLength(1)
  })
})

it('the channel of WEBHOOK_URL is held if it is created while all channels are held', async () => {
  const heldUntil = clock.now() + 3_600_000
  for (const channelId of BUILT_IN.keys())
    await store.holdDestination({ channelId, heldAt: clock.now(), heldUntil, heldBy: null })
  await start(URL)
  const held = (await store.listDestinations()).find(({ channelId }) => channelId === ENVIRONMENT_CHANNEL)
  expect(held).toMatchObject({ heldUntil })
})
