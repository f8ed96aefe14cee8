// The sentence about a channel that does not send.
import { describe, expect, it } from 'vitest'
import type { StoppedChannel } from '../../../web/src/api/types.ts'
import { effectText, probedText, stateText } from '../../../web/src/shell/stopped-text.ts'

const NOW = Date.UTC(2026, 10, 15, 12, 20)
const held: StoppedChannel = {
  ...{ id: 'a', name: 'shop', status: 'HELD', statusReason: null, waiting: 312 },
  ...{ heldUntil: null, heldBy: null, since: null, nextProbeAt: null, isDefault: false },
}
const down: StoppedChannel = {
  ...held,
  ...{ status: 'DOWN', statusReason: 'CONNECTION: ECONNREFUSED' },
  ...{ since: '2026-11-15T12:14:00Z', nextProbeAt: '2026-11-15T12:20:20Z' },
}
const sentence = (channel: StoppedChannel) => `${stateText(channel, NOW)}. ${effectText(channel, NOW)}`

describe('the sentence about a stopped channel', () => {
  it('says why it does not send, and when its messages are sent', () => {
    const cases: [StoppedChannel, string][] = [
      [held, 'is held. 312 messages wait until it is released.'],
      [
        { ...held, statusReason: 'HTTP 401', waiting: 1 },
        'is held: HTTP 401. 1 message waits until it is released.',
      ],
      [
        { ...held, heldUntil: '2026-11-15T14:00:00Z', heldBy: 'ops' },
        'is held by ops until 14:00Z. 312 messages wait until then.',
      ],
      [{ ...held, waiting: 0 }, 'is held. Its messages wait until it is released.'],
      [
        { ...held, status: 'DISABLED', statusReason: 'HTTP 410' },
        'is switched off: HTTP 410. Its messages fail when they are due.',
      ],
      [down, 'has been down since 12:14Z (connection refused). 312 messages wait; next try in 20 s.'],
      [
        { ...down, since: '2026-11-14T23:59:00Z', statusReason: 'HTTP 503', waiting: 1 },
        'has been down since Sat 14 Nov 23:59Z (HTTP 503). 1 message waits; next try in 20 s.',
      ],
      [
        {
          ...down,
          statusReason: 'TIMEOUT: no response within 10000 ms',
          nextProbeAt: '2026-11-15T12:19:00Z',
        },
        'has been down since 12:14Z (no response in time). 312 messages wait; next try now.',
      ],
      [
        { ...down, statusReason: 'CONNECTION: EPIPE', waiting: 0 },
        'has been down since 12:14Z (EPIPE). Its next message is the next try.',
      ],
    ]
    for (const [channel, expected] of cases) expect(sentence(channel)).toBe(expected)
  })

  it('says what a try of its destination has shown', () => {
    const { name, since: downSince, nextProbeAt } = down
    const probed = { name, downSince, nextProbeAt, lastError: 'HTTP 503', waiting: 2 }
    expect(probedText(probed, NOW)).toBe('shop is down since 12:14Z (HTTP 503); next try in 20 s.')
    expect(probedText({ ...probed, waiting: 0 }, NOW)).toBe(
      'No message waits for shop. Its next message is the next try.',
    )
    expect(probedText({ ...probed, downSince: null, lastError: null }, NOW)).toBe(
      'shop responds again. Its messages are sent now.',
    )
  })
})
