// The notifications by which a worker hears of a change that another process has made.
import { expect, it } from 'vitest'
import { INBOX_CHANNEL } from '../../../../src/domain/settings/channel.ts'
import { systemClock } from '../../../../src/runtimes/shared/system-clock.ts'
import { listen } from '../../../../src/stores/postgres/clients/listener.ts'
import { makeChannel } from '../../../contracts/store/settings.ts'
import { SECOND, T0 } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()

it('A change of a channel or of the state of its destination is announced, and a claimed probe is not.', async () => {
  const store = await stage.open()
  let heard = 0
  const config = { connectionString: stage.database() }
  const listener = listen({ config, schema: 'terce' }, systemClock, {
    ...{ onWake() {}, onEnqueued() {} },
    onChannels: () => {
      heard += 1
    },
  })
  stage.atEnd(listener.close)
  const untilHeard = (times: number) =>
    until(
      `${times} notifications`,
      () => heard,
      (count) => count >= times,
    )
  await untilHeard(1)
  const channelId = INBOX_CHANNEL
  await store.markDown({ channelId, since: T0, error: 'HTTP 503', nextProbeAt: T0, seen: null })
  await untilHeard(2)
  expect(await store.claimProbe({ channelId, seen: T0, until: T0 + SECOND })).toBe(true)
  await store.saveChannel(makeChannel())
  await untilHeard(3)
  await store.holdDestination({ channelId, heldAt: T0, heldUntil: null, heldBy: null })
  await untilHeard(4)
  await store.releaseDestination(channelId, T0)
  await untilHeard(5)
  expect(heard).toBe(5)
})
