// `terce ledger --day D --hash`: whether the rows of a closed day give its hash.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { addLedger } from '../../../src/cli/ledger/ledger.ts'
import { keepLedger } from '../support/closed-days.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addLedger)
const check = (...args: string[]) =>
  database.terce(['ledger', '--day', '2026-11-15', '--hash', ...args]) as Promise<{
    code: number
    stdout: string
    stderr: string
  }>

async function keepDays(): Promise<void> {
  await keepLedger(database.path, { '2026-11-14': ['delivered'], '2026-11-15': ['delivered', 'failed'] })
}

function alter(sql: string): void {
  const db = new DatabaseSync(database.path)
  db.exec(sql)
  db.close()
}

describe('terce ledger --day --hash', () => {
  it('says that the rows give the stored hash', async () => {
    await keepDays()
    const text = /^2026-11-15: the rows give the stored hash [0-9a-f]{64}\.\n$/
    expect(await check()).toEqual({ code: 0, stdout: expect.stringMatching(text), stderr: '' })
    const { stored, ...rest } = JSON.parse((await check('--json')).stdout)
    expect(rest).toEqual({ day: '2026-11-15', recomputed: stored, same: true })
  })

  it.each([
    ['a changed line', `UPDATE ledger_lines SET place = 'delivered', reason = NULL WHERE place = 'failed'`],
    ['a changed day before', `UPDATE ledger_days SET hash = '00' WHERE day = '2026-11-14'`],
  ])('finds %s, and exits with 1', async (_, sql) => {
    await keepDays()
    alter(sql)
    const { code, stdout, stderr } = await check()
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^terce: 2026-11-15: the rows give the hash [0-9a-f]{64}, and [0-9a-f]{64} is stored\.$/m,
    )
    expect(JSON.parse((await check('--json')).stdout)).toMatchObject({ same: false })
  })

  it('exits with 1 for a day whose lines were pruned: its hash cannot be recomputed', async () => {
    await keepDays()
    alter('UPDATE ledger_days SET pruned_at = 1')
    const { code, stderr } = await check()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/the lines were pruned, so the stored hash/)])
  })

  it.each([
    [['--now'], /^terce: Give either --now or --hash\.$/m],
    [['--url', 'http://127.0.0.1:9'], /^terce: --hash reads the rows of a database/],
  ])('rejects %j', async (args, why) => {
    await keepDays()
    expect(await check(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(why) })
  })
})
