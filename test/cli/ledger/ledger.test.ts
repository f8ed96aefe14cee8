// `terce ledger`: the closed days, today so far, the repair, and the exit code that alarms; and what `terce doctor` says of it.
import { describe, expect, it } from 'vitest'
import { addLedger } from '../../../src/cli/ledger/ledger.ts'
import { dayName } from '../../../src/domain/ledger/day.ts'
import { DAY, HOUR, makePerson } from '../../support/fixtures.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addLedger)
const ledger = (...args: string[]) => database.terce(['ledger', ...args])

const day = dayName(Date.now() - 2 * DAY)

/** A person without an event, whom a check found an hour ago. */
async function addMissedPerson(): Promise<string> {
  const store = database.open()
  const person = { ...makePerson({ externalId: 'crm-17' }), events: [] }
  await store.createUsers([person])
  const [occasionId, startedAt] = [person.occasions[0]!.id, Date.now() - HOUR]
  const today = dayName(startedAt)
  await store.beginLedgerCheck({ day: today, startedAt, replaces: null })
  const expectedAt = Date.parse('2099-01-01T09:00:00Z')
  const fault = { reason: 'UNPLANNED' as const, occasionId, eventId: null, dueAt: null, expectedAt }
  await store.saveLedgerCheck({ day: today, startedAt, from: null, to: null, at: startedAt, faults: [fault] })
  return occasionId
}

async function closeDay(): Promise<void> {
  const counts = { due: 1_204, onTime: 1_201, late: 2, failed: 1, notSent: 0, waiting: 0, missed: 0 }
  await database.open().closeLedgerDay({ day, ...counts, codes: { 'HTTP 410': 1 }, closedAt: Date.now() })
}

describe('terce ledger', () => {
  it('prints the closed days and today so far, and exits with 0 while nobody is missed', async () => {
    await closeDay()
    expect(await ledger()).toEqual({
      code: 0,
      stdout: `${day}  1,204 due, 1,201 on time, 2 late, 1 failed. Nobody was missed.\n${dayName(Date.now())}  0 due. Nobody was missed. So far.\n`,
      stderr: '',
    })
    expect(JSON.parse((await ledger('--json')).stdout)).toMatchObject({ day, due: 1_204 })
    expect((await ledger('--day', day)).code).toBe(0)
  })

  it('exits with 1 while there is a problem, shows it without a name, and repairs it', async () => {
    const occasionId = await addMissedPerson()
    await closeDay()
    expect((await ledger()).code).toBe(1)
    const { code, stdout, stderr } = await ledger('--today')
    expect([code, stderr]).toEqual([1, `terce: ${dayName(Date.now())}: 1 problem.\n`])
    expect(stdout).toContain(`problem: person crm-17, BIRTHDAY, occasion ${occasionId}, expected 2099-01-01`)
    expect(stdout).toContain('UNPLANNED: The next occurrence of the occasion has no event.')
    expect(stdout).not.toContain('Ada')
    expect((await ledger('--repair', '--dry-run')).stdout).toBe(
      '1 would be planned again, 0 in their place meanwhile.\n',
    )
    expect(await ledger('--repair')).toMatchObject({
      code: 0,
      stdout: '1 planned again, 0 in their place meanwhile.\n',
    })
    expect((await ledger()).code).toBe(0)
  })

  it.each([
    [['--day', 'yesterday'], /Use a date such as/],
    [['--day', '2020-01-01', '--today'], /^terce: Give one of --today, --day and --repair/],
    [['--dry-run'], /^terce: --dry-run needs --repair/],
  ])('rejects %j', async (args, says) => {
    const { code, stderr } = await ledger(...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)])
  })
})
