// A client that vanishes inside a transaction must not keep its events from the others for hours.
import { expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { startDatabaseProxy } from '../../chaos/support/database-proxy.ts'
import { until } from '../../support/until.ts'
import { createDuePeople } from './support/due-people.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

it('gives up what it had locked within seconds', async () => {
  const store = await stage.open()
  await createDuePeople(store, 3)
  const url = new URL(stage.database())
  const proxy = await startDatabaseProxy({ port: Number(url.port) })
  stage.atEnd(() => proxy.close())
  url.port = String(proxy.port)
  const far = await openPostgresStore(url.href)
  const claim = { limit: 1_000, leaseMs: 1_000, claimedBy: 'worker' }
  const silenced = Promise.withResolvers<void>()
  const vanished = far
    .claimDue({
      ...claim,
      now: Date.now(),
      render: () => {
        proxy.silence(1, () => 0)
        silenced.resolve()
        return 'x'
      },
    })
    .catch((error: Error) => error)
  await silenced.promise
  let taken = 0
  await until(
    'all taken by another',
    async () => {
      const got = await store.claimDue({ ...claim, leaseMs: 60_000, now: Date.now(), render: () => 'y' })
      taken += got.length
      return taken
    },
    (count) => count === 3,
  )
  proxy.speak()
  expect(await vanished).toBeInstanceOf(Error)
  await far.close()
})
