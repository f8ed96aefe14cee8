// A week of probes under a virtual clock: 9 s of CPU time.
import { expect, it } from 'vitest'
import { DAY, HOUR } from '../../support/fixtures.ts'
import { NINE, peopleOf, respondWith, setUp, start, useWorld, world } from './support/outage-world.ts'

useWorld()

it('an event to which the receiver never responds fails after a week if it is the only event, and its successor is planned', async () => {
  const crm = await setUp('crm')
  respondWith(crm.receiver, { kind: 'transient', error: 'HTTP 502', statusCode: 502 })
  const [poison] = peopleOf(crm, 1)
  await world.put(poison!)
  start()
  await world.passTo(NINE + 7 * DAY)
  expect(await world.event(poison!.events[0]!.id)).toMatchObject({ status: 'PROCESSING', retryCount: 0 })
  await world.passTo(NINE + 7 * DAY + HOUR)
  expect(await world.event(poison!.events[0]!.id)).toMatchObject({
    status: 'FAILED',
    failureCode: 'RETRIES_EXHAUSTED',
    retryCount: 3,
  })
  expect(await world.events(poison!.user.id)).toHaveLength(2)
})
