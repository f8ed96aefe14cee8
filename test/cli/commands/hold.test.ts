// `terce hold` and `terce release`: which channels, until when, and what they print.
import { describe, expect, it } from 'vitest'
import { addHold, addRelease } from '../../../src/cli/commands/hold.ts'
import { HANDLER_CHANNEL, INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addHold, addRelease)

async function setUp() {
  const store = database.open()
  const crm = makeChannel({ name: 'crm' })
  await store.saveChannel(crm)
  const states = async () => new Map((await store.listDestinations()).map((one) => [one.channelId, one]))
  return { crm, store, states }
}

describe('terce hold and terce release', () => {
  it('hold every channel, the inbox and the handlers, and release them', async () => {
    const { crm, states } = await setUp()
    const before = Date.now()
    const { stdout } = await database.terce(['hold', '--until', '2h'])
    expect(stdout).toMatch(/^Held until \S+Z: crm, inbox, handlers\. Messages that fall due wait\.\n$/)
    for (const id of [crm.id, INBOX_CHANNEL, HANDLER_CHANNEL]) {
      const { heldUntil, heldBy } = (await states()).get(id)!
      expect(Math.abs(heldUntil! - before - 2 * HOUR)).toBeLessThan(MINUTE)
      expect(heldBy).toBe('cli')
    }
    expect((await database.terce(['release'])).stdout).toBe(
      'Released: crm, inbox, handlers. Messages that waited are sent now.\n',
    )
    for (const { heldAt } of (await states()).values()) expect(heldAt).toBeNull()
    for (const args of [[], ['--channel', 'crm']])
      expect((await database.terce(['release', ...args])).stdout).toBe('Nothing was held.\n')
  })

  it('say which channels they do not change, and fail if that is the only one', async () => {
    const { crm, store } = await setUp()
    const status = { id: crm.id, reason: 'HTTP 401', at: 1 }
    for (const [from, to, error] of [
      [
        'ACTIVE',
        'HELD',
        /^terce: Not held: crm is HELD \(HTTP 401\)\. Fix its secret or the receiver, then POST/,
      ],
      [
        'HELD',
        'DISABLED',
        /^terce: The channel is disabled\. Release the channel first, then hold it\. \(CHANNEL_DISABLED\)\n$/,
      ],
    ] as const) {
      await store.setChannelStatus({ ...status, from, to })
      const { code, stdout, stderr } = await database.terce(['hold', '--channel', 'crm'])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(error)
      const unchanged = `Not changed: crm is ${to} (HTTP 401).\n`
      for (const [command, text] of [
        ['hold', 'Held until terce release: inbox, handlers. Messages that fall due wait.\n'],
        ['release', 'Released: inbox, handlers. Messages that waited are sent now.\n'],
      ] as const)
        expect((await database.terce([command])).stdout).toBe(text + unchanged)
    }
  })

  it('hold one channel until the next time of day in a timezone, or without an end', async () => {
    const { states } = await setUp()
    // The clocks of Kolkata are five and a half hours ahead all year.
    const [at, offset] = [Math.floor(Date.now() / MINUTE) * MINUTE, 5.5 * HOUR]
    for (const [when, expected] of [
      [at + 3 * HOUR, at + 3 * HOUR],
      [at - 3 * HOUR, at + 21 * HOUR],
    ] as const) {
      const time = new Date(when + offset).toISOString().slice(11, 16)
      await database.terce(['hold', '--channel', 'inbox', '--until', time, '--timezone', 'Asia/Kolkata'])
      expect([...(await states()).values()]).toMatchObject([
        { channelId: INBOX_CHANNEL, heldUntil: expected },
      ])
    }
    const { stdout } = await database.terce(['hold', '--channel', 'inbox', '--json'])
    expect(JSON.parse(stdout).items).toMatchObject([{ name: 'inbox', status: 'HELD', heldUntil: null }])
    expect((await database.terce(['release', '--channel', 'inbox'])).stdout).toMatch(/^Released: inbox\./)
  })

  it('reject an unknown channel, an end that cannot be read, and one that has passed', async () => {
    const { states } = await setUp()
    for (const [args, error] of [
      [['--channel', 'nobody'], /No channel "nobody"\. Use one of crm, inbox, handlers\./],
      [['--until', 'noon'], /--until noon is not usable\./],
      [['--until', '2h', '--timezone', 'Asia/Tokyo'], /--timezone needs --until with a time of day/],
      [['--timezone', 'Asia/Tokyo'], /--timezone needs --until with a time of day/],
      [['--until', '14:00', '--timezone', 'Nowhere/City'], /Unknown timezone "Nowhere\/City"/],
      [['--until', new Date(Date.now() - SECOND).toISOString()], /until: The end of the hold has passed\./],
    ] as const) {
      const { code, stderr } = await database.terce(['hold', ...args])
      expect(code).toBe(2)
      expect(stderr).toMatch(error)
    }
    expect((await states()).size).toBe(0)
  })
})
