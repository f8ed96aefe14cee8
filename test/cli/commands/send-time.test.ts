// `terce send-time`: what it moves and prints.
import { expect, it } from 'vitest'
import { addSendTime } from '../../../src/cli/commands/send-time.ts'
import { makePeople } from '../../support/fixtures.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addSendTime)

it('counts in a dry run, moves the occasions with the old time, and moves nothing the second time', async () => {
  const store = database.open()
  await store.createUsers(makePeople(3, () => ({ targetAt: Date.now() + 1e9 })))
  const times = async () =>
    (await store.listPeople({ limit: 9, cursor: null })).items.map(
      ({ plans }) => plans[0]!.occasion.localTime,
    )
  expect((await database.terce(['send-time', '08:30', '--from', '09:00:00', '--dry-run'])).stdout).toBe(
    '3 occasions among 3 people would move to 08:30, with 3 events.\n',
  )
  expect(await times()).toEqual(['09:00', '09:00', '09:00'])
  const { stdout } = await database.terce(['send-time', '08:30', '--from', '10:00', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    dryRun: false,
    people: 3,
    matched: 0,
    changed: 0,
    moved: 0,
    inFlight: 0,
  })
  const moved = await database.terce(['send-time', '08:30'])
  expect(moved.stdout).toBe('3 occasions among 3 people moved to 08:30, with 3 events.\n')
  expect(moved.stderr).toContain('100 %  3 occasions moved\n')
  expect(await times()).toEqual(['08:30', '08:30', '08:30'])
  expect((await database.terce(['send-time', '08:30'])).stdout).toMatch(/^0 occasions among 3 people moved/)
  expect(await database.terce(['send-time', '8:30'])).toMatchObject({ code: 2 })
})
