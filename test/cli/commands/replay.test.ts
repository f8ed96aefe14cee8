// `terce replay`: counts, needs a confirmation, and replays what it counted.
import { describe, expect, it } from 'vitest'
import { addReplay } from '../../../src/cli/commands/replay.ts'
import { deliver, statuses } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addReplay)
const replay = (...args: string[]) => database.terce(['replay', ...args])

describe('terce replay', () => {
  it('counts with --dry-run, and replays each event once with --yes', async () => {
    await deliver(database.path, 3, 'failed')
    await deliver(database.path, 2, 'gone')
    const reason = ['--since', '1h', '--reason', 'RETRIES_EXHAUSTED']
    const counted = await replay(...reason, '--dry-run')
    expect([counted.code, counted.stdout]).toEqual([
      0,
      expect.stringMatching(/^3 events failed since \S+Z: 3 to send\.\n$/),
    ])
    expect(await statuses(database.path)).toEqual({ FAILED: 5 })

    const done = await replay(...reason, '--yes')
    expect([done.code, done.stdout]).toEqual([0, '3 events scheduled for replay, 0 skipped.\n'])
    expect(done.stderr).toBe('100 %  3 events scheduled\n')
    expect(await statuses(database.path)).toEqual({ FAILED: 5, PENDING: 3 })

    const afterwards = await replay('--since', '1h', '--dry-run')
    expect(afterwards.stdout).toMatch(/^5 events failed since \S+Z: 2 to send, 3 being replayed\.\n$/)

    const again = await replay('--since', '1h', '--yes', '--json')
    expect(JSON.parse(again.stdout)).toEqual({ matched: 5, replayed: 2, skipped: 3, dryRun: false })
  })

  it('replays neither events that failed before --since nor events of another type', async () => {
    await deliver(database.path, 1, 'failed')
    const later = new Date(Date.now() + 60_000).toISOString()
    for (const args of [
      ['--since', later],
      ['--since', '1d', '--type', 'WORK_ANNIVERSARY'],
    ]) {
      const { code, stdout } = await replay(...args, '--yes', '--json')
      expect([code, JSON.parse(stdout)]).toEqual([0, { matched: 0, replayed: 0, skipped: 0, dryRun: false }])
    }
    expect(await statuses(database.path)).toEqual({ FAILED: 1 })
  })

  it.each([
    [['--since', '1h'], /No terminal to ask for confirmation\. Use --yes to send, or --dry-run to count\./],
    [['--yes'], /required option '--since <when>' not specified/],
    [['--since', '2026-12-15', '--yes'], /--since 2026-12-15 is not usable\. Use a duration such as 6h/],
    [['--since', 'soon', '--yes'], /--since soon is not usable/],
    [['--since', '2026-02-31T00:00:00Z', '--yes'], /--since 2026-02-31T00:00:00Z is not usable/],
    [
      ['--since', '1h', '--type', 'birthday', '--yes'],
      /type: Must be a type in capitals, such as BIRTHDAY\./,
    ],
  ])('exits with 2 for %j, and replays nothing', async (args, why) => {
    await deliver(database.path, 1, 'failed')
    const { code, stdout, stderr } = await replay(...args)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)])
    expect(await statuses(database.path)).toEqual({ FAILED: 1 })
  })
})
