// Which channel a message waits for, of those that do not send.
import { expect, it } from 'vitest'
import { waitsFor } from '../../../web/src/api/today.ts'
import type { StoppedChannel } from '../../../web/src/api/types.ts'

const stopped = (over: Partial<StoppedChannel>): StoppedChannel => ({
  id: 'crm',
  name: 'crm',
  status: 'DOWN',
  statusReason: 'HTTP 503',
  heldUntil: null,
  heldBy: null,
  since: null,
  nextProbeAt: null,
  isDefault: false,
  waiting: 0,
  ...over,
})
const today = {
  now: '2026-11-15T09:00:00Z',
  stoppedChannels: [
    stopped({ status: 'DISABLED', id: 'off' }),
    stopped({}),
    stopped({ id: 'mail', isDefault: true }),
  ],
}
const due = { status: 'PENDING', channelId: null, targetTimestampUTC: '2026-11-15T09:00:00Z' } as const

it.each([
  ['an event in flight', { ...due, status: 'PROCESSING', channelId: 'crm' } as const, 'crm'],
  ['a due event that is not claimed', { ...due, channelId: 'crm' }, 'crm'],
  ['a due event without a channel of its own', due, 'mail'],
  ['an event that is not due', { ...due, targetTimestampUTC: '2026-11-15T09:00:01Z' }, undefined],
  ['a settled event', { ...due, status: 'COMPLETED' } as const, undefined],
  ['a due event of a channel that sends', { ...due, channelId: 'sms' }, undefined],
  ['a due event of a disabled channel', { ...due, channelId: 'off' }, undefined],
])('%s waits for the channel that is stopped, or for none', (_, event, id) => {
  expect(waitsFor(today, event)?.id).toBe(id)
})
