// What a process knows of destinations, beside what the others write.
import { describe, expect, it } from 'vitest'
import type { DestinationState } from '../../../src/domain/settings/destination.ts'
import { createSharedStates } from '../../../src/engine/deliver/shared-states.ts'
import type { DestinationStore } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { createTestClock, HOUR, MINUTE, SECOND, T0 } from '../../support/fixtures.ts'

const DOWN: DestinationState = {
  channelId: 'a',
  downSince: T0,
  lastError: 'HTTP 503',
  nextProbeAt: T0 + SECOND,
  recoveredAt: null,
  ...{ heldAt: null, heldUntil: null, heldBy: null },
}

function setUp(stored: DestinationState[] = [], over: Partial<DestinationStore> = {}) {
  const clock = createTestClock(T0)
  const notices: Notice[] = []
  const claims: object[] = []
  const store: DestinationStore = {
    listDestinations: async () => stored,
    markDown: async () => {},
    markUp: async () => {},
    holdDestination: async () => {},
    releaseDestination: async () => {},
    claimProbe: async (probe) => claims.push(probe) > 0,
    ...over,
  }
  const telemetry = (notice: Notice) => void notices.push(notice)
  const states = createSharedStates({ store, clock, telemetry, nameOf: (id) => id })
  const said = () => notices.map((notice) => (notice.kind === 'destination' ? notice.state : notice.kind))
  return { clock, states, claims, said }
}

describe('the shared states of destinations', () => {
  it('are not replaced by a read beside two writes', async () => {
    const written = Promise.withResolvers<void>()
    const { states } = setUp([], { markDown: () => written.promise })
    for (const channelId of ['a', 'b'])
      states.markDown({ channelId, at: T0, error: 'x', nextProbeAt: 1, isLocal: false })
    await states.refresh()
    expect([states.of('a').downSince, states.of('b').downSince]).toEqual([T0, T0])
    written.resolve()
    await written.promise.then(() => {})
    await new Promise(setImmediate)
    await states.refresh()
    expect(states.of('a').downSince).toBeNull()
  })

  it('are not replaced by a read during which a write ends', async () => {
    const [written, read] = [Promise.withResolvers<void>(), Promise.withResolvers<DestinationState[]>()]
    const { states } = setUp([], { markDown: () => written.promise, listDestinations: () => read.promise })
    states.markDown({ channelId: 'a', at: T0, error: 'x', nextProbeAt: 1, isLocal: false })
    const refreshed = states.refresh()
    written.resolve()
    await new Promise(setImmediate)
    read.resolve([])
    await refreshed
    expect(states.of('a').downSince).toBe(T0)
  })

  it('let nobody probe before the time that another process has stored', async () => {
    const stored = [{ ...DOWN }]
    const { states, claims } = setUp(stored)
    await states.refresh()
    expect(await states.claimProbe('a', T0, MINUTE)).toBe(false)
    stored[0] = { ...DOWN, nextProbeAt: T0 + HOUR }
    await states.refresh()
    expect(await states.claimProbe('a', T0 + SECOND, MINUTE)).toBe(false)
    expect(claims).toEqual([])
  })

  it('let a process probe at once when the clock was set back before the time of the next probe', async () => {
    const down = { ...DOWN, downSince: T0 - HOUR, nextProbeAt: T0 + SECOND }
    const { states, clock } = setUp([down])
    await states.refresh()
    await clock.jumpTo(T0 - HOUR / 2)
    await states.refresh()
    const now = clock.now()
    expect([await states.claimProbe('a', now, MINUTE), states.isProber('a', now)]).toEqual([true, true])
    expect(await states.claimProbe('a', now, MINUTE)).toBe(false)
  })

  it('let a process that starts probe at once if the next probe is more than a day ahead, and never later', async () => {
    const stored = [{ ...DOWN, nextProbeAt: T0 + 24 * HOUR }]
    const { states, claims } = setUp(stored)
    await states.refresh()
    expect([states.isProbeDue('a', T0), await states.claimProbe('a', T0, MINUTE)]).toEqual([false, false])
    stored[0] = { ...DOWN, nextProbeAt: T0 + 25 * HOUR }
    await states.refresh()
    expect(await states.claimProbe('a', T0, MINUTE)).toBe(false)
    const { states: started } = setUp(stored)
    await started.refresh()
    expect([started.isProbeDue('a', T0), await started.claimProbe('a', T0, MINUTE)]).toEqual([true, true])
    expect(started.isProbeDue('a', T0)).toBe(false)
    expect(claims).toEqual([])
  })

  it('let the process that has claimed a probe send it for a minute, unless another has claimed one since', async () => {
    const stored = [{ ...DOWN }]
    const { states } = setUp(stored)
    await states.refresh()
    expect(await states.claimProbe('a', T0 + SECOND, MINUTE)).toBe(true)
    const until = T0 + SECOND + MINUTE
    expect([T0 + 2 * SECOND, until - 1, until].map((now) => states.isProber('a', now))).toEqual([
      ...[true, true, false],
    ])
    stored[0] = { ...DOWN, nextProbeAt: until + MINUTE }
    await states.refresh()
    expect(states.isProber('a', T0 + 2 * SECOND)).toBe(false)
  })

  it('let a process whose probe failed send the next one only half a second after the others may', async () => {
    const { states } = setUp([{ ...DOWN }])
    await states.refresh()
    await states.claimProbe('a', T0 + SECOND, MINUTE)
    const nextProbeAt = T0 + 2 * SECOND
    states.markDown({ channelId: 'a', at: T0 + SECOND, error: 'x', nextProbeAt, isLocal: false })
    expect(await states.claimProbe('a', nextProbeAt, MINUTE)).toBe(false)
    expect(await states.claimProbe('a', nextProbeAt + SECOND / 2, MINUTE)).toBe(true)
  })

  it('keep to themselves that this process alone cannot send', async () => {
    const written: unknown[] = []
    const { states, said, claims } = setUp([], {
      markDown: async (down) => void written.push(down),
      markUp: async (id) => void written.push(id),
    })
    states.markDown({ channelId: 'a', at: T0, error: 'x', nextProbeAt: T0 + SECOND, isLocal: true })
    await states.refresh()
    expect(states.of('a').downSince).toBe(T0)
    expect(await states.claimProbe('a', T0 + SECOND, MINUTE)).toBe(true)
    states.markUp('a', T0 + SECOND)
    expect(states.of('a').downSince).toBeNull()
    expect([written, said(), claims]).toEqual([[], [], []])
  })

  it('have the hold of an operator also while this process alone cannot send', async () => {
    const held = { ...DOWN, downSince: null, lastError: null, nextProbeAt: null, heldAt: T0 }
    const stored: DestinationState[] = [held]
    const { states } = setUp(stored)
    await states.refresh()
    states.markDown({ channelId: 'a', at: T0, error: 'x', nextProbeAt: T0 + SECOND, isLocal: true })
    expect(states.of('a')).toMatchObject({ heldAt: T0, downSince: T0 })
    stored[0] = { ...held, heldAt: null }
    await states.refresh()
    expect(states.of('a')).toMatchObject({ heldAt: null, downSince: T0 })
    stored[0] = held
    await states.refresh()
    expect(states.of('a').heldAt).toBe(T0)
  })

  it('are reported when they change and once a minute, and as untried if nobody has probed', async () => {
    const stored = [{ ...DOWN }]
    const { states, clock, said } = setUp(stored)
    for (let i = 0; i < 4; i++) {
      await states.refresh()
      await clock.advance(20 * SECOND)
    }
    expect(said()).toEqual(['down', 'down'])
    await clock.advance(HOUR)
    await states.refresh()
    expect(said()).toEqual(['down', 'down', 'untried'])
    stored[0] = { ...DOWN, downSince: clock.now(), nextProbeAt: clock.now() }
    await states.refresh()
    stored[0] = { ...DOWN, downSince: null, lastError: null, nextProbeAt: null }
    await states.refresh()
    expect(said().slice(3)).toEqual(['down', 'up'])
  })

  it('are not believed if they were recorded by a clock that was a day ahead', async () => {
    const ahead = T0 + 24 * HOUR
    const { states, said } = setUp([{ ...DOWN, downSince: ahead, nextProbeAt: ahead + SECOND }])
    await states.refresh()
    expect(said()).toEqual([])
  })
})
