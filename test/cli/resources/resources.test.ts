// `terce people`, `events`, `channels`, `templates` and `test` against a server.
import { beforeEach, describe, expect, it } from 'vitest'
import { addChannels } from '../../../src/cli/resources/channels.ts'
import { addEvents } from '../../../src/cli/resources/events.ts'
import { addPeople } from '../../../src/cli/resources/people.ts'
import { addTemplates } from '../../../src/cli/resources/templates.ts'
import { addTest } from '../../../src/cli/resources/test-message.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { FAILED, work } from '../../http/support/event-steps.ts'
import type { TestApp } from '../../http/support/test-app.ts'
import { useDatabase } from '../support/in-process.ts'
import type { Ran } from '../support/run-command.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(...[addPeople, addEvents, addChannels, addTemplates, addTest])
const serve = useServedDatabase(database)
let env: Record<string, string>

beforeEach(async () => {
  env = { TERCE_URL: await serve('admin'), TERCE_API_KEY: KEY }
})

const terce = (line: string, ...more: string[]) => database.terce([...line.split(' '), ...more], env)

async function printed(line: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await terce(line, ...more)
  expect([line, code, stderr]).toEqual([line, 0, ''])
  return stdout.trimEnd()
}

const ADA = '--first-name Ada --last-name Lovelace --date-of-birth 1990-12-15 --timezone Europe/London'
const addAda = () => printed(`people add ${ADA} --external-id crm-1`)

/** Settles what is due, as a worker does, until the command ends. */
async function whileWorking(command: Promise<Ran>, outcome: object): Promise<Ran> {
  const store = database.open()
  let ran: Ran | undefined
  command.then((result) => (ran = result))
  while (ran === undefined) {
    await work({ store } as TestApp, Date.now(), outcome)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return ran
}

describe('terce people', () => {
  it('adds, lists, shows, edits, pauses, resumes and deletes a person', async () => {
    expect(await addAda()).toMatch(/^Added Ada Lovelace, \S{36}\. The first message is due \d{4}-12-15 09:00/)
    expect(await printed('people list --search love')).toMatch(
      /^crm-1 {2}Ada Lovelace {2}Europe\/London {2}BIRTHDAY \d{4}-12-15 09:00 \+00:00$/,
    )
    expect(await printed('people list --failed')).toBe('No people.')
    expect(await printed('people show crm-1')).toMatch(/^name +Ada Lovelace\nid +\S{36}\ndateOfBirth/)
    const moved = '1 event would be rescheduled.'
    expect(await printed('people edit crm-1 --timezone Asia/Tokyo --dry-run')).toContain(moved)
    await printed('people edit crm-1 --timezone Asia/Tokyo')
    const person = JSON.parse(await printed('people show crm-1 --json'))
    expect(person).toMatchObject({ timezone: 'Asia/Tokyo', occasions: [{ type: 'BIRTHDAY' }] })
    expect(await printed('people pause crm-1')).toMatch(/^Paused 1 occasion of Ada Lovelace\. .*terce hold/)
    expect(await printed(`people resume ${person.id}`)).toBe('Resumed 1 occasion of Ada Lovelace.')
    expect(await terce('people delete crm-1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    })
    expect(await printed('people delete crm-1 --yes')).toBe('Deleted Ada Lovelace.')
    expect(await terce('people show crm-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(USER'),
    })
  })
})

it('terce events lists, shows and replays a failed event', async () => {
  await addAda()
  const [event] = JSON.parse(`[${await printed('events list --person crm-1 --json')}]`)
  expect(await printed('events list --status PENDING --limit 1')).toContain(`${event.id}  PENDING  BIRTHDAY`)
  const store = database.open()
  await work({ store } as TestApp, Date.parse(event.targetTimestampUTC), FAILED)
  expect(await printed('events list --status FAILED')).toContain(FAILED.failure.code)
  expect(await printed(`events show ${event.id}`)).toContain('BIRTHDAY')
  expect(await printed(`events replay ${event.id}`)).toMatch(/^Event \S{36} sends the message again\.$/)
})

it('terce channels lists, shows and edits a channel, and lists and shows the inbox', async () => {
  expect(await printed('channels list')).toBe('inbox  built-in  default  ACTIVE')
  const store = database.open()
  await store.saveChannel(makeChannel())
  expect(await printed('channels list')).toMatch(/^crm +webhook .*ACTIVE.*\ninbox +built-in/)
  expect(await printed('channels edit crm --per-second 20')).toBe('Changed crm.')
  expect(await printed('channels show crm')).toMatch(/^perSecond +20$/m)
  expect(await printed('channels show inbox')).toMatch(/^state +ACTIVE$/m)
})

it('terce templates edits, shows, previews and deletes a text', async () => {
  await addAda()
  expect(await printed('templates list')).toBe('No templates: the built-in texts are used.')
  expect(await printed('templates edit BIRTHDAY --body', 'Hi {{ firstName }}')).toBe('Saved BIRTHDAY.')
  expect(await printed('templates show BIRTHDAY')).toBe('Hi {{ firstName }}')
  expect(await printed('templates preview BIRTHDAY --person crm-1')).toBe('Hi Ada')
  expect(await printed('templates list')).toMatch(/^BIRTHDAY +Hi/)
  await printed('templates delete BIRTHDAY')
  expect(await printed('templates preview BIRTHDAY --person crm-1')).toBe(
    "Hey, Ada Lovelace it's your birthday",
  )
})

describe('terce test', () => {
  it('names the person and the inbox, sends one message, and leaves nothing, also if it fails', async () => {
    await addAda()
    const ran = await whileWorking(terce('test crm-1'), {})
    const to = 'Ada Lovelace (crm-1) over the inbox.'
    expect(ran).toEqual({ code: 0, stdout: `Delivered to ${to}\n`, stderr: `A test message to ${to}\n` })
    const left = async () => {
      const { occasions } = JSON.parse(await printed('people show crm-1 --json'))
      return [occasions.length, await printed('events list --status FAILED --json')]
    }
    const nothing = await left()
    expect(nothing[0]).toBe(1)
    const failed = await whileWorking(terce('test crm-1'), FAILED)
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The test message failed.')])
    expect(await left()).toEqual(nothing)
  })

  it('sends over a channel only if it is named and confirmed', async () => {
    await addAda()
    const store = database.open()
    await store.saveChannel(makeChannel({ defaultSince: 1 }))
    const elsewhere = await terce('test crm-1')
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('Nothing was sent: messages go'),
    ])
    const asked = await terce('test crm-1 --channel crm')
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/over crm\.\n.*Use --yes\./)])
  })
})

it.each([
  ['people list --limit x', '--limit x is not a number'],
  ['people add --first-name Ada', "required option '--timezone <zone>'"],
  ['people edit nobody --timezone PST', 'User not found. No user has this external id'],
  ['events list --status failed', 'Allowed choices are PENDING'],
  ['channels show foo', 'No channel "foo"'],
  ['channels edit inbox --per-second many', 'many is not a limit'],
  ['templates edit BIRTHDAY', 'Give the text with --body or --file'],
])('terce %s says what is wrong', async (line, text) => {
  const { code, stderr } = await terce(line)
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(text)])
})
