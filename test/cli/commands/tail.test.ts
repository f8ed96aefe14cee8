// `terce tail`: prints each outcome once, every failure, and exits with 0 on a signal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { addTail } from '../../../src/cli/commands/tail.ts'
import { type Paint, plain } from '../../../src/cli/output/colour.ts'
import { createNews, newsLine, type SeenEvent } from '../../../src/cli/output/news.ts'
import { createOutageNews, outageLine } from '../../../src/cli/output/outages.ts'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { COMMAND } from '../support/run-command.ts'

const database = useDatabase(addTail)
const tail = (...args: string[]) => database.terce(['tail', '--no-follow', ...args])

const NOW = '2026-12-15T16:00:05.000Z'

function event(id: string, over: Partial<SeenEvent> = {}): SeenEvent {
  return {
    id,
    userId: 'u1',
    eventType: 'BIRTHDAY',
    occurrence: '2026',
    status: 'PROCESSING',
    targetTimestampUTC: '2026-12-15T16:00:00.000Z',
    targetTimezone: 'America/Vancouver',
    executedAt: null,
    failureReason: null,
    retryCount: 0,
    ...over,
  }
}
const done = { status: 'COMPLETED', executedAt: '2026-12-15T16:00:00.400Z' } as const

describe('createNews()', () => {
  it('returns each failed attempt and each outcome once, oldest first', () => {
    const newsOf = createNews()
    const outcomes = (...seen: SeenEvent[]) =>
      newsOf(seen, NOW).map(({ eventId, outcome }) => `${eventId} ${outcome}`)
    expect(outcomes(event('a'), event('b'))).toEqual([])
    expect(outcomes(event('a', { retryCount: 1 }), event('b', done))).toEqual(['b delivered', 'a retrying'])
    expect(outcomes(event('a', { retryCount: 1 }), event('b', done))).toEqual([])
    const failed = event('a', { status: 'FAILED', retryCount: 1, executedAt: NOW, failureReason: 'HTTP 410' })
    expect(outcomes(failed, event('b', done), failed)).toEqual(['a failed'])
  })

  it('is printed as one line for each outcome', () => {
    const lines = createNews()(
      [
        event('a', done),
        event('b', { retryCount: 2 }),
        event('c', { status: 'FAILED', executedAt: '2026-12-15T16:00:06.000Z', failureReason: 'HTTP 410' }),
      ],
      NOW,
    ).map((news) => newsLine(news, { isTTY: false, paint: plain }))
    expect(lines).toEqual([
      '2026-12-15T16:00:00.400Z  delivered  a  BIRTHDAY 2026, America/Vancouver, 0.4 s after it was due',
      '2026-12-15T16:00:05.000Z  retrying   b  BIRTHDAY 2026, America/Vancouver, 2 attempts failed',
      '2026-12-15T16:00:06.000Z  failed     c  BIRTHDAY 2026, America/Vancouver: HTTP 410',
    ])
  })
})

it('createOutageNews() has a line when a destination is down or held, one a minute, and one when it is up', () => {
  const newsOf = createOutageNews()
  const since = '2026-12-15T16:00:00.000Z'
  const down = {
    ...{ id: 'c1', name: 'crm', status: 'DOWN' as const, statusReason: 'HTTP 503', since, waiting: 1_200 },
    ...{ nextProbeAt: '2026-12-15T16:00:06.000Z', pausedUntil: null, pausedBy: null, isDefault: false },
  }
  const lines = (second: number, ...stopped: Parameters<typeof newsOf>[0]) => {
    const now = new Date(Date.parse(since) + second * 1_000).toISOString()
    return newsOf(stopped, now).map((news) => outageLine(news, plain))
  }
  const line = '"crm" is down since 2026-12-15T16:00:00.000Z'
  const rest = 'HTTP 503; 1,200 messages wait, next probe at 2026-12-15T16:00:06.000Z'
  expect(lines(5, down)).toEqual([`${NOW}  down       ${line} (5.0 s): ${rest}`])
  expect(lines(64, down)).toEqual([])
  expect(lines(65, down)).toEqual([`2026-12-15T16:01:05.000Z  down       ${line} (1 min): ${rest}`])
  expect(lines(130)).toEqual(['2026-12-15T16:02:10.000Z  up         "crm" is up again, after 2 min'])
  expect(lines(131)).toEqual([])
  expect(lines(132, down)).toHaveLength(1)
  const held = { ...down, status: 'PAUSED' as const, statusReason: 'PAUSED_BY_HAND', since: null, waiting: 1 }
  const heldLine = '2026-12-15T16:02:13.000Z  held       "crm" is held: PAUSED_BY_HAND; 1 message waits'
  expect(lines(133, held), 'a paused channel is not up').toEqual([heldLine])
  expect(lines(192, held)).toEqual([])
  expect(lines(193, held)).toHaveLength(1)
  expect(lines(194)).toEqual(['2026-12-15T16:03:14.000Z  up         "crm" is up again'])
  expect(lines(195, { ...held, status: 'DISABLED' })).toEqual([])
})

describe('a line of terce tail at a terminal', () => {
  it('has a short id and a colour for the outcome', () => {
    const seen = event('019b2279-4400-7000-8000-2f6b1c9d3e4a', {
      status: 'FAILED',
      failureReason: 'HTTP 410',
    })
    const [news] = createNews()([seen], NOW)
    const paint: Paint = (style, text) => `<${style}>${text}</>`
    expect(newsLine(news!, { isTTY: true, paint })).toBe(
      `${NOW}  <red>failed   </>  7000-8000-2f  BIRTHDAY 2026, America/Vancouver: HTTP 410`,
    )
  })
})

describe('terce tail', () => {
  it('starts with the latest outcomes, or with the latest failures', async () => {
    await deliver(database.path, 3, 'delivered')
    const failed = await deliver(database.path, 2, 'failed')
    const all = await tail('-n', '4')
    expect(all.stdout.match(/ {2}(delivered|failed) {2}/g)).toHaveLength(4)
    expect(all.stdout).not.toContain('Ada')
    const failures = await tail('--failed', '--json')
    const lines = failures.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ eventId }) => eventId).sort()).toEqual(failed.map(({ eventId }) => eventId).sort())
    expect(lines[0]).toMatchObject({ outcome: 'failed', type: 'BIRTHDAY', timezone: 'UTC', retryCount: 0 })
    expect((await tail('-n', '0')).stdout).toBe('')
    const store = database.open()
    const now = Date.now()
    await store.markDown({
      channelId: INBOX_CHANNEL,
      since: now,
      error: 'HTTP 503',
      nextProbeAt: now + 1_000,
      seen: null,
    })
    const outage = {
      outcome: 'down',
      channel: { id: INBOX_CHANNEL, status: 'DOWN', statusReason: 'HTTP 503' },
    }
    expect(JSON.parse((await tail('-n', '0', '--json')).stdout)).toMatchObject(outage)
    expect((await tail('-n', '0', '--failed')).stdout).toBe('')
    expect((await tail('-n', 'all')).code).toBe(2)
  })

  it('prints outcomes while it runs, and exits with 0 on SIGINT', async () => {
    await deliver(database.path, 1, 'delivered')
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [COMMAND, 'tail', '--json'], {
      env: { PATH, DATABASE_URL: `sqlite:${database.path}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect(JSON.parse((await lines.next()).value!).outcome).toBe('delivered')
    const [late] = await deliver(database.path, 1, 'failed')
    expect(JSON.parse((await lines.next()).value!)).toMatchObject({
      outcome: 'failed',
      eventId: late!.eventId,
    })
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(await lines.next()).toMatchObject({ done: true })
  })
})
