// Promises about `terce explain`, and about whom a command talks to.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addExplain } from '../../../src/cli/commands/explain.ts'
import { NO_ONE } from '../../http/support/test-app.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addExplain)
const start = useServedDatabase(database)

describe('terce explain', () => {
  it('says in words when an event was due, why then, and what became of it', async () => {
    const [due] = await deliver(database.path, 1, 'failed')
    const { code, stdout, stderr } = await database.terce(['explain', due!.eventId])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^This BIRTHDAY message was due on .* in UTC/)
    expect(stdout).toMatch(
      /\ndue {3}\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? \+00:00 in UTC, .*Z\nrule {2}.+\nwhy {3}On /,
    )
    expect(stdout).toMatch(
      /\n\S+Z {2}Planned\.\n\S+Z {2}Attempt 1, taken by worker-1 .* failed for good: .*503/,
    )
    expect(stdout).not.toContain('Ada')
  })

  it('is the same from a server as from its database', async () => {
    const [due] = await deliver(database.path, 1, 'delivered')
    const here = await database.terce(['explain', due!.eventId, '--json'])
    expect(JSON.parse(here.stdout)).toMatchObject({ instant: { timezone: 'UTC' }, oddities: [] })
    const url = await start('read')
    const args = ['explain', due!.eventId, '--json']
    expect(await database.terce([...args, '--url', url, '--key', KEY], {})).toEqual(here)
    expect(await database.terce(args, { TERCE_URL: url, TERCE_KEY: KEY })).toEqual(here)
    expect(await database.terce(args, { TERCE_URL: url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^terce: It needs an API key\. Set TERCE_KEY, or give --key\./),
    })
  })

  it.each([
    ['an event there is not', [NO_ONE], 1, /^terce: No event has the id .*\(EVENT_NOT_FOUND\)\n$/],
    ['what is no id', ['../today'], 2, /^terce: \.\.\/today is not the id of an event\./],
    ['nothing', [], 2, /missing required argument 'event'/],
    [
      'what is no address',
      [NO_ONE, '--url', 'localhost:3000'],
      2,
      /^terce: --url localhost:3000 is not usable/,
    ],
    [
      'nobody there',
      [NO_ONE, '--url', 'http://127.0.0.1:9'],
      1,
      /^terce: Cannot reach http:\/\/127\.0\.0\.1:9: /,
    ],
  ])('refuses %s in one line', async (_, args, wanted, why) => {
    await deliver(database.path, 0, null)
    const { code, stdout, stderr } = await database.terce(['explain', ...args])
    expect([code, stdout, stderr]).toEqual([wanted, '', expect.stringMatching(why)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('makes no database where there is none', async () => {
    const { code, stderr } = await database.terce(['explain', NO_ONE])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/There is no database at .*terce\.db\. Set DATABASE_URL/),
    ])
    expect(existsSync(database.path)).toBe(false)
  })
})
