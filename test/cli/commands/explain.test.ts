// `terce explain`, and what a command talks to: a server or the database of DATABASE_URL.
import { describe, expect, it } from 'vitest'
import { addExplain } from '../../../src/cli/commands/explain.ts'
import { shortIds } from '../../../src/cli/output/words.ts'
import { NO_ONE } from '../../http/support/test-app.ts'
import { keepLedger } from '../support/closed-days.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addExplain)
const start = useServedDatabase(database)

describe('terce explain', () => {
  it('prints when an event was due, why then, and its history', async () => {
    const [due] = await deliver(database.path, 1, 'failed')
    const { code, stdout, stderr } = await database.terce(['explain', due!.eventId])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^This BIRTHDAY message was due on .* in UTC/)
    expect(stdout).toMatch(
      /\ndue {3}\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? \+00:00 in UTC, .*Z\nrule {2}.+\nwhy {3}On /,
    )
    expect(stdout).toMatch(
      /\n\S+Z {2}Planned\.\n\S+Z {2}Attempt 1, claimed by worker-1 .* failed permanently: .*503/,
    )
    expect(stdout).not.toContain('Ada')
  })

  it.each(['delivered', 'failed'] as const)('accepts the short id of a %s event', async (outcome) => {
    const [due] = await deliver(database.path, 1, outcome)
    const whole = await database.terce(['explain', due!.eventId])
    expect(await database.terce(['explain', shortIds(due!.eventId)])).toEqual(whole)
    expect(whole.code).toBe(0)
  })

  it('accepts the id of an occasion, and prints its person, rule and next message', async () => {
    const [sent, lost] = await keepLedger(database.path, { '2026-11-15': ['delivered', 'lost'] })
    const { code, stdout, stderr } = await database.terce(['explain', lost!.occasionId])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^This BIRTHDAY occasion is due every year on 15 November at 09:00 local time, in UTC\. Its next occurrence, 20\d\d, is owed at \S+ \(09:00 local\), and it has no event\. /,
    )
    expect(stdout).toMatch(/\n\nperson {2}crm-2, UTC\nrule {4}every year .*\nnext {4}NOT_PLANNED\n$/)
    const next = await database.terce(['explain', sent!.occasionId])
    expect(next.stdout).toMatch(/\nnext {4}event \S+, due .*\n$/)
    const json = JSON.parse((await database.terce(['explain', lost!.occasionId, '--json'])).stdout)
    expect(json).toMatchObject({ timezone: 'UTC', occasion: { externalId: 'crm-2' } })
  })

  it('prints the same from a server as from its database', async () => {
    const [due] = await deliver(database.path, 1, 'delivered')
    const here = await database.terce(['explain', due!.eventId, '--json'])
    expect(JSON.parse(here.stdout)).toMatchObject({ instant: { timezone: 'UTC' }, notes: [] })
    const url = await start('read')
    const args = ['explain', due!.eventId, '--json']
    expect(await database.terce([...args, '--url', url, '--key', KEY], {})).toEqual(here)
    expect(await database.terce(args, { TERCE_URL: url, TERCE_API_KEY: KEY })).toEqual(here)
    expect(await database.terce(args, { TERCE_URL: url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^terce: API key required\. Set TERCE_API_KEY or pass --key\./),
    })
  })

  it.each([
    [
      'an unknown event',
      [NO_ONE],
      1,
      /^terce: Event not found\. No event has the id .*\(EVENT_NOT_FOUND\)\n$/,
    ],
    [
      'a text that is not an id',
      ['../today'],
      2,
      /^terce: \.\.\/today is not the id of an event or an occasion\./,
    ],
    ['an unknown short id', ['0000-0000-00'], 2, /^terce: No recent event has the short id 0000-0000-00\./],
    ['no argument', [], 2, /missing required argument 'id'/],
    [
      'an invalid address',
      [NO_ONE, '--url', 'localhost:3000'],
      2,
      /^terce: --url localhost:3000 is not usable/,
    ],
    [
      'a server that is not running',
      [NO_ONE, '--url', 'http://127.0.0.1:9'],
      1,
      /^terce: Cannot reach http:\/\/127\.0\.0\.1:9: /,
    ],
  ])('fails for %s with one line', async (_, args, wanted, why) => {
    await deliver(database.path, 0, null)
    const { code, stdout, stderr } = await database.terce(['explain', ...args])
    expect([code, stdout, stderr]).toEqual([wanted, '', expect.stringMatching(why)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
