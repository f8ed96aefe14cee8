// The tasks of an operator, each from the page that a visit begins with, within a number of clicks. The first signed message to a
// receiver of one's own is in first-channel.test.ts.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { countClicks } from './support/clicks.ts'
import { closeDayWithProblem } from './support/closed-days.ts'
import { createPerson, useDashboard, useReceiver } from './support/use-dashboard.ts'

const zone = afternoonZone(Date.now())
const dateOfBirth = birthDateToday(zone, Date.now())
const TODAY = { timezone: zone, dateOfBirth, sendTodayNow: true }

const receiver = useReceiver()
const dashboard = useDashboard(() => ({ WEBHOOK_URL: receiver.url }))
let page: Page

type Walk = { task: string; most: number; walk: () => Promise<unknown> }

const TASKS: Walk[] = [
  { task: 'Add a person, who is then first in the list', most: 2, walk: addPerson },
  { task: 'Import 200 rows of which 12 are wrong', most: 3, walk: importRows },
  { task: 'Find a failed message, see why it failed, and retry it', most: 4, walk: retryFailure },
  { task: 'Change the birthday text and preview it for one person', most: 5, walk: changeText },
  { task: 'Add a work anniversary to three people', most: 6, walk: addAnniversaries },
  { task: 'Hold all messages for an hour', most: 2, walk: holdAll },
  { task: 'See what goes out next week', most: 1, walk: seeNextWeek },
  { task: 'See why Ana got a message at this minute', most: 2, walk: explainAna },
  { task: 'Plan a message again that the ledger found in the wrong place', most: 3, walk: readLedger },
  {
    task: 'Preview the next messages of a person who was born on 29 February',
    most: 1,
    walk: previewLeapDay,
  },
  { task: 'Delete a person, and undo it', most: 4, walk: deletePerson },
  { task: 'Limit the messages to the receiver of WEBHOOK_URL', most: 4, walk: limitReceiver },
  // Last: once a key exists, every request needs one.
  { task: 'Create an API key and call the API with it', most: 3, walk: createKey },
]

it('the sidebar links to the docs, which link to a page by its task, and back', async () => {
  page = await dashboard.open()
  await page.getByRole('link', { name: 'Docs', exact: true }).click()
  await page.getByRole('link', { name: 'tutorial' }).click()
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  // The style sheet is one that the content security policy allows.
  expect(await page.evaluate('document.styleSheets.length')).toBe(1)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: 'No people yet.' }).waitFor()
})

for (const { task, most, walk } of TASKS)
  it(`${task}: ${most} clicks at most`, async () => {
    page = await dashboard.open()
    await page.getByRole('link', { name: 'People' }).first().waitFor()
    const clicks = await countClicks(page)
    await walk()
    expect(await clicks()).toBeLessThanOrEqual(most)
  })

const goTo = (label: string) => page.getByRole('link', { name: label }).first().click()
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function limitReceiver() {
  await goTo('Settings')
  await goTo('Channels')
  await press('Edit')
  // Its name and its URL are those of the environment.
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Messages per second').fill('50')
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  await press('Save')
  await page.getByText('At most 50 per second.').waitFor()
}

async function addPerson() {
  await createPerson(dashboard, 'Ana Early', { ...TODAY, sendTodayNow: false })
  await goTo('People')
  await press('Add person')
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Date of birth').fill('1990-07-01')
  await page.getByLabel('Last name').fill('Walker')
  await page.keyboard.press('Enter')
  await page.getByText('Robin added.').waitFor()
  await expect.poll(() => page.locator('a[data-row]').first().innerText()).toBe('Robin Walker')
}

async function importRows() {
  const good = Array.from({ length: 188 }, (_, i) => `Row${i},Imported,1990-05-17,Europe/Lisbon,crm-${i},`)
  const bad = [
    ...['1990-13-01', '1990-02-30', '17.05.', '2999-01-01'].map((date) => `Bad,Date,${date},UTC,,`),
    ...['Europe/Lisbonn', 'Nowhere/Land', 'EST5'].map((place) => `Bad,Zone,1990-05-17,${place},,`),
    ...[',Nameless,1990-05-17,UTC,,', 'Nameless,,--5-17,UTC,,'],
    ...['ada@', '@example.com'].map((email) => `Bad,Email,1990-05-17,UTC,,${email}`),
    // Another person with the external id of a row above.
    'Other,Person,1991-06-18,UTC,crm-3,',
  ]
  const rows = ['First Name,Surname,Birthday,Time zone,external_id,E-Mail', ...good, ...bad].join('\n')
  await goTo('People')
  await press('Import CSV')
  const dialog = page.getByRole('dialog', { name: 'Import people' })
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByText('12 problems in 12 rows').waitFor()
  await press('Import 188 people')
  await dialog.getByText('188 people imported.').waitFor()
  await dialog.getByText('12 rows with errors left out.').waitFor()
}

async function retryFailure() {
  receiver.rejects = true
  await createPerson(dashboard, 'Ana Failed', TODAY)
  await goTo('Failures')
  await press('Show')
  await page.getByRole('link', { name: /Ana Failed/ }).waitFor()
  await page.getByText('422').first().waitFor()
  await page.getByText('rejected by the test').waitFor()
  receiver.rejects = false
  await press('Retry…')
  await press('Retry 1 now')
  await page.getByText('1 delivered since').waitFor()
}

async function changeText() {
  await goTo('Settings')
  await goTo('Templates')
  await page.getByLabel('Message (Liquid)').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Happy birthday, dear {{ firstName }}!')
  await page.getByLabel('Preview as').click()
  await page.keyboard.type('robin')
  await page.getByRole('option', { name: /Robin Walker/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Happy birthday, dear Robin!').waitFor()
  await press('Save')
  await page.getByText('Saved. New messages use it within seconds.').waitFor()
}

async function addAnniversaries() {
  await goTo('People')
  for (const name of ['Row185 Imported', 'Row186 Imported', 'Row187 Imported'])
    await page.getByLabel(`Select ${name}`).check()
  await press('Add occasion…')
  const dialog = page.getByRole('dialog', { name: 'Add an occasion' })
  await dialog.getByLabel(/^Type/).fill('Founding day')
  await dialog.getByLabel('Date').fill('2019-03-01')
  const add = dialog.getByRole('button', { name: 'Add', exact: true })
  await dialog.getByText('This type has no text yet.').waitFor()
  expect(await add.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Type/).fill('Work anniversary')
  await add.click()
  await page.getByText('Occasion added to 3 people.').waitFor()
}

async function holdAll() {
  await press('Hold messages…')
  await press('Hold all messages')
  await page.getByText(/^Channel environment is held until .*Z/).waitFor()
  type Today = { stoppedChannels: { heldUntil: string }[] }
  const { stoppedChannels } = await dashboard.call<Today>('GET', '/today')
  const minutes = (Date.parse(stoppedChannels[0]!.heldUntil) - Date.now()) / 60_000
  expect(Math.ceil(minutes)).toBe(60)
  await dashboard.call('POST', '/channel/release')
}

async function seeNextWeek() {
  const inDays = (days: number) =>
    `1990${new Date(Date.now() + days * 86_400_000).toISOString().slice(4, 10)}`
  await createPerson(dashboard, 'Sofia Soon', { dateOfBirth: inDays(3) })
  await createPerson(dashboard, 'Lena Later', { dateOfBirth: inDays(20) })
  await goTo('Upcoming')
  const listed = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await listed.filter({ hasText: 'Lena Later' }).waitFor()
  const texts = await listed.allInnerTexts()
  const at = (name: string) => texts.findIndex((text) => text.includes(name))
  expect(at('Sofia Soon')).toBeLessThan(at('Lena Later'))
  expect(texts[at('Sofia Soon')]).toMatch(/in [23] d/)
}

async function explainAna() {
  await createPerson(dashboard, 'Ana Silva', TODAY)
  await goTo('Messages')
  await page.getByLabel('Person').focus()
  await page.keyboard.type('ana silva')
  await page.getByRole('option', { name: /Ana Silva/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Person Ana Silva: remove' }).waitFor()
  await page.getByRole('link', { name: /sent.*Ana Silva/ }).click()
  await page.getByRole('heading', { name: /Ana Silva: Birthday/ }).waitFor()
  const why = page.locator('section').filter({ hasText: 'Why at this time' })
  await why.getByText(/09:00/).first().waitFor()
  await why.getByText(/It was delivered by attempt 1/).waitFor()
}

async function readLedger() {
  const { user } = await createPerson(dashboard, 'Ana Lines', { ...TODAY, sendTodayNow: false })
  type Occasions = { items: { id: string }[] }
  const { items } = await dashboard.call<Occasions>('GET', `/user/${user.id}/occasion`)
  const day = await closeDayWithProblem(dashboard.database, items[0]!.id)
  await goTo('Ledger')
  const row = page.getByRole('table').getByRole('row').nth(1)
  await row.waitFor()
  expect((await row.innerText()).split(/\s*\t\s*/).slice(1, 3)).toEqual(['1', '1'])
  await row.getByRole('link').first().click()
  await page.waitForURL(`**/app/ledger/${day}`)
  const found = page.getByRole('list', { name: 'Problems and failures' })
  await found.getByRole('link', { name: 'Ana Lines' }).waitFor()
  await found.getByRole('button', { name: 'Plan again' }).click()
  await page.getByText('Planned again.').waitFor()
  await found.getByText('repaired', { exact: true }).waitFor()
}

async function previewLeapDay() {
  await createPerson(dashboard, 'Lea Leap', { dateOfBirth: '1992-02-29' })
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByLabel(/^A page, a person/).fill('lea leap')
  await page.getByRole('option', { name: /Lea Leap.*person/ }).waitFor()
  await page.keyboard.press('Enter')
  await press('Edit Birthday')
  const next = page.getByRole('region', { name: 'Next messages' })
  await next.getByText('29 February does not exist', { exact: false }).first().waitFor()
}

async function deletePerson() {
  await goTo('People')
  await page.getByRole('link', { name: 'Row187 Imported' }).click()
  // Of the person; each of their occasions has another one.
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
  await page.getByText('Row187 Imported deleted.').waitFor()
  await page.getByRole('link', { name: 'Row187 Imported' }).waitFor({ state: 'detached' })
  await press('Undo')
  await page.getByRole('link', { name: 'Row187 Imported' }).waitFor()
}

async function createKey() {
  await goTo('Settings')
  await goTo('API keys')
  await page.getByLabel('Name').fill('mine')
  await press('Create key')
  const key = await page.getByText(/^terce_/).innerText()
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${dashboard.url}/user`, { headers })).status
  expect(await statusWith({})).toBe(401)
  expect(await statusWith({ Authorization: `Bearer ${key}` })).toBe(200)
  // A read that was in flight when the first key was stored had no session yet: the page ignores its 401, the console lists it.
  const isOfThatRead = (error: string) => error.includes('the server responded with a status of 401')
  expect(dashboard.pageErrors().filter((error) => !isOfThatRead(error))).toEqual([])
}
