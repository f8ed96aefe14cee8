// `terce wave`: one line per hour, with its counts and a bar that fits the width.
import { describe, expect, it } from 'vitest'
import { addWave } from '../../../src/cli/commands/wave.ts'
import type { Paint } from '../../../src/cli/output/colour.ts'
import { type TodayJson, waveLines } from '../../../src/cli/output/wave-lines.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addWave)

const slot = (dueAt: string, offsetMinutes: number, over: Partial<TodayJson['wave'][number]> = {}) => {
  return { dueAt, offsetMinutes, sent: 0, inFlight: 0, failed: 0, remaining: 0, ...over }
}

const DAY: TodayJson = {
  now: '2026-12-15T16:00:30.000Z',
  countedAt: '2026-12-15T16:00:30.000Z',
  tzVersion: '2026f',
  counts: { people: 4_000, inFlight: 60, waiting: 1, sent24h: 1_240, failed24h: 3, ambiguous24h: 0 },
  lateness: { p50Ms: 200, p95Ms: 1_500 },
  instances: [],
  wave: [
    slot('2026-12-15T14:00:00.000Z', -300, { sent: 1_200, failed: 3 }),
    slot('2026-12-15T16:00:00.000Z', -420, { sent: 40, inFlight: 60 }),
    slot('2026-12-16T03:15:00.000Z', 345, { remaining: 600 }),
    slot('2026-12-16T03:30:00.000Z', 330, { remaining: 600 }),
    slot('2026-12-16T03:00:00.000Z', 360, { remaining: 1 }),
    // Outside the 24 hours.
    slot('2026-12-16T16:00:00.000Z', -420, { remaining: 7 }),
  ],
  next: null,
  zones: [],
  stoppedChannels: [],
  recent: [],
}

describe('waveLines()', () => {
  it('is a table of 24 hours without bars if there is no width', () => {
    const lines = waveLines(DAY, null)
    expect(lines).toHaveLength(1 + 24 + 3)
    expect([lines[1], lines[24]].map((line) => line!.slice(0, 12))).toEqual([' 12-15 05:00', ' 12-16 04:00'])
    const withEvents = lines.filter((line) => /^.12-1\d \d\d:00 {2}[+-]/.test(line))
    expect(withEvents).toEqual([
      ' 12-15 14:00  -05:00                1,200         .         3         .',
      '>12-15 16:00  -07:00                   40        60         .         .',
      ' 12-16 03:00  +05:30 and 2              .         .         .     1,201',
    ])
    expect(lines.slice(-2)).toEqual([
      '4,000 people, 60 in flight, 1 waiting.',
      'Last 24 hours: 1,240 sent (p95 delay 1.5 s), 3 failed.',
    ])
  })

  it('has bars of one scale on a terminal, and no line wider than the terminal', () => {
    for (const width of [40, 100, 200]) {
      for (const line of waveLines(DAY, width)) expect(line.length).toBeLessThanOrEqual(width)
    }
    const bars = waveLines(DAY, 140).map((line) => /[█▓x░]+$/.exec(line)?.[0])
    const drawn = bars.filter((bar) => bar !== undefined)
    expect(drawn.slice(0, 3)).toEqual([`${'█'.repeat(60)}x`, '██▓▓▓', '░'.repeat(60)])
  })
})

it('waveLines() cuts a line before it adds colours', () => {
  const paint: Paint = (style, text) => `<${style}>${text}</>`
  const lines = waveLines(DAY, 140, paint)
  expect(lines.filter((line) => line.includes('<red>'))).toEqual([
    expect.stringMatching(/ {2}<green>█{60}<\/><red>x<\/>$/),
    '<green>█</> sent  <cyan>▓</> in flight  <red>x</> failed  <dim>░</> scheduled',
  ])
  const bare = (text: string) => text.replaceAll(/<[^>]*>/g, '')
  for (const width of [40, 80, 100])
    expect(waveLines(DAY, width, paint).map(bare)).toEqual(waveLines(DAY, width))
})

describe('terce wave', () => {
  it('prints one table or one JSON object if there is no terminal', async () => {
    await deliver(database.path, 2, 'delivered')
    const { code, stdout } = await database.terce(['wave'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ UTC +UTC offset +sent/)])
    expect(stdout).toMatch(/ \+00:00 +2 +\. +\. +\.\n/)
    const { wave, counts } = JSON.parse((await database.terce(['wave', '--json'])).stdout)
    expect([wave.length, wave[0].sent, counts.sent24h]).toEqual([1, 2, 2])
  })
})
