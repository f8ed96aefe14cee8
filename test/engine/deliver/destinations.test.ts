// The channels as one process has them, and the notice when another process has another environment.
import { beforeEach, describe, expect, it } from 'vitest'
import { keepEnvironmentChannel } from '../../../src/app/channels/environment-channel.ts'
import type { Environment } from '../../../src/domain/settings/channel.ts'
import { createDestinations, RELOAD_MS } from '../../../src/engine/deliver/destinations.ts'
import { NO_DESTINATION } from '../../../src/engine/deliver/no-destination.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { createTestClock } from '../../support/fixtures.ts'

const HERE = { url: 'https://crm.example/hook?token=1', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }
const MOVED = { ...HERE, url: 'https://crm.example/v2?token=2' }
const clock = createTestClock(Date.parse('2026-06-15T08:00:00Z'))

let store: Store
let notices: Notice[]
beforeEach(() => {
  store = openSqliteStore(':memory:')
  notices = []
})

/** Another process starts with this environment. */
function startOther(environment: Environment) {
  return keepEnvironmentChannel({ store, clock, telemetry: () => {} }, environment)
}

/** This process, with the environment HERE. Returns its reload, after which it has the stored channels. */
function startHere() {
  const destinations = createDestinations({
    store,
    clock,
    telemetry: (notice) => void notices.push(notice),
    open: () => NO_DESTINATION.channel,
    environment: HERE,
    fallback: NO_DESTINATION,
  })
  return async () => {
    await clock.advance(RELOAD_MS)
    await destinations.refresh()
  }
}

it('A change that is reported during a reload is read by the next one, which a claim waits for', async () => {
  const destinations = createDestinations({
    store,
    clock,
    telemetry() {},
    open: () => NO_DESTINATION.channel,
    fallback: NO_DESTINATION,
  })
  const older = destinations.refresh()
  await store.saveChannel(makeChannel({ defaultSince: 1 }))
  const reported = destinations.refresh(Number.POSITIVE_INFINITY)
  await older
  await destinations.refresh()
  expect(destinations.of(null).name).toBe('crm')
  await reported
})

describe('a process whose WEBHOOK_URL or WEBHOOK_SECRET another process has replaced', () => {
  it('reports another URL once, without its query', async () => {
    await startOther(HERE)
    const reload = startHere()
    await reload()
    expect(notices).toEqual([])
    await startOther(MOVED)
    await reload()
    await reload()
    const [from, to] = ['https://crm.example/hook', 'https://crm.example/v2']
    expect(notices).toEqual([{ kind: 'environment', state: 'differs', what: 'url', from, to }])
  })

  it('reports another secret', async () => {
    await startOther({ ...HERE, secrets: ['whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGVz'] })
    await startHere()()
    expect(notices).toMatchObject([{ kind: 'environment', state: 'differs', what: 'secret' }])
    expect(JSON.stringify(notices)).not.toContain('whsec_')
  })

  it('reports the URL again if it was put right in between', async () => {
    await startOther(MOVED)
    const reload = startHere()
    for (const environment of [MOVED, HERE, MOVED]) {
      await startOther(environment)
      await reload()
    }
    expect(notices.map(({ kind }) => kind)).toEqual(['environment', 'environment'])
  })
})

describe('a process that has loaded a channel', () => {
  it('closes the channel and forgets it after the channel was deleted', async () => {
    let closed = 0
    const close = async () => void closed++
    const destinations = createDestinations({
      ...{ store, clock, telemetry: () => {}, fallback: NO_DESTINATION },
      open: () => ({ ...NO_DESTINATION.channel, close }),
    })
    const channel = makeChannel()
    await store.saveChannel(channel)
    await destinations.refresh()
    expect(destinations.of(channel.id).id).toBe(channel.id)
    await store.removeChannel(channel)
    await clock.advance(RELOAD_MS)
    await destinations.refresh()
    expect(destinations.list()).toEqual([NO_DESTINATION])
    expect(closed).toBe(1)
  })

  it('does not suspend the channel for the response to a request from before the channel was changed', async () => {
    const destinations = createDestinations({
      ...{ store, clock, telemetry: () => {}, fallback: NO_DESTINATION, open: () => NO_DESTINATION.channel },
    })
    const channel = makeChannel()
    await store.saveChannel(channel)
    await destinations.refresh()
    const before = destinations.of(channel.id)
    await store.saveChannel({ ...channel, version: channel.version + 1 })
    await clock.advance(RELOAD_MS)
    await destinations.refresh()
    destinations.suspend(before, 'HELD', 'HTTP 401')
    expect([before.status, destinations.of(channel.id).status]).toEqual(['HELD', 'ACTIVE'])
    destinations.suspend(destinations.of(channel.id), 'DISABLED', 'HTTP 410')
    await clock.advance(1)
    expect(await store.listChannels()).toMatchObject([{ status: 'DISABLED', statusReason: 'HTTP 410' }])
  })
})
