// The people page on the real product: search, edit, occasions, tasks, deletion and bulk actions.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createPerson, type Person, useDashboard } from './support/use-dashboard.ts'

let page: Page
let ada: Person

const dashboard = useDashboard({}, async () => {
  ada = (await createPerson(dashboard, 'Ada Lovelace', { timezone: 'America/Vancouver' })).user
  await createPerson(dashboard, 'Raden Kartini', { dateOfBirth: '1992-02-29', timezone: 'Asia/Jakarta' })
})

const REJECTED = {
  code: 'INVALID',
  status: 400,
  detail: 'Invalid request body.',
  problems: [
    { field: 'timezone', code: 'INVALID_VALUE', message: 'Unknown timezone.' },
    { field: 'email', code: 'INVALID_VALUE', message: 'Not an email address.' },
  ],
}

describe('the people page', () => {
  it('keeps the search and the time zone filter in the URL', async () => {
    page = await dashboard.open('people?search=kart')
    await page.getByRole('link', { name: 'Raden Kartini' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByLabel('Time zone').fill('vancouver')
    await page.getByRole('option', { name: 'Vancouver, Canada' }).click()
    await page.getByText('No matches.').waitFor()
    expect(page.url()).toContain('search=kart&zone=America%2FVancouver')
    await page.goBack()
    await page.getByRole('link', { name: 'Raden Kartini' }).waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('')
  })

  it('filters by type, due time, pause and failures, and clears the filters', async () => {
    const { items } = await dashboard.call<{ items: { id: string }[] }>('GET', `/user/${ada.id}/occasion`)
    await dashboard.call('POST', `/occasion/${items[0]!.id}/pause`)
    page = await dashboard.open('people')
    await page.getByRole('link', { name: 'Raden Kartini' }).waitFor()
    const [kartini, lovelace] = ['Raden Kartini', 'Ada Lovelace'].map((name) =>
      page.getByRole('link', { name }),
    )
    await page.getByLabel('Paused').selectOption('Paused')
    await kartini!.waitFor({ state: 'detached' })
    expect(await lovelace!.count()).toBe(1)
    await page.getByLabel('Paused').selectOption('Not paused')
    await lovelace!.waitFor({ state: 'detached' })
    await kartini!.waitFor()
    await page.getByLabel('Type').selectOption('Birthday')
    await page.getByLabel('Failures').selectOption('Has failures')
    await page.getByText('No matches.').waitFor()
    expect(page.url()).toContain('paused=false&type=BIRTHDAY&failed=true')
    await page.getByRole('button', { name: 'Clear' }).click()
    await lovelace!.waitFor()
    await page.getByLabel('Due').selectOption('Next 24 hours')
    await page.getByText('No matches.').waitFor()
    await dashboard.call('POST', `/occasion/${items[0]!.id}/resume`)
  })

  it('has the newest person first, and pages forward and back', async () => {
    for (let index = 0; index < 60; index++) {
      await createPerson(dashboard, `Zz${String(index).padStart(2, '0')} Paged`)
    }
    page = await dashboard.open('people')
    const first = page.locator('a[data-row]').first()
    await expect.poll(() => first.innerText()).toBe('Zz59 Paged')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => first.innerText()).toBe('Zz09 Paged')
    // A person is opened and closed in between: Back still leads to the page before.
    await first.click()
    await page.getByRole('heading', { name: 'Zz09 Paged' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Zz09 Paged' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => first.innerText()).toBe('Zz59 Paged')
    await page.goBack()
    await expect.poll(() => first.innerText()).toBe('Zz09 Paged')
    await page.reload()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => first.innerText()).toBe('Zz59 Paged')
  })

  it('selects rows, or all that match, and deletes them after a typed confirmation', async () => {
    page = await dashboard.open('people?search=paged')
    await page.getByLabel('Select Zz59 Paged').check()
    await page.getByLabel('Select Zz58 Paged').check()
    await page.getByText('2 people selected').waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete people' })
    await dialog.getByText('2 selected people.').waitFor()
    await dialog.getByText('2 people will be deleted.').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Delete 2' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Type 2 or “delete” to confirm').fill('2')
    await confirm.click()
    await page.getByText('2 people deleted.').waitFor()
    await page.getByRole('link', { name: 'Zz59 Paged' }).waitFor({ state: 'detached' })
    await page.getByLabel('Select all on this page').check()
    await page.getByText('50 people selected').waitFor()
    await page.getByRole('button', { name: 'Select all 58 that match' }).click()
    await page.getByText('All 58 that match are selected').waitFor()
    await page.getByRole('button', { name: 'Pause…' }).click()
    await page.getByText('58 occasions will be paused.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByText('All people matching “paged”.').waitFor()
    await dialog.getByText('58 people will be deleted.').waitFor()
    await dialog.getByLabel(/to confirm/).fill('DELETE')
    await dialog.getByRole('button', { name: 'Delete 58' }).click()
    await page.getByText('No matches.').waitFor()
    await page.getByLabel('Search people').fill('')
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.getByText('2 people on this page').waitFor()
  })

  it('has no accessibility violation with a selection, a list of options or a dialog', async () => {
    page = await dashboard.open('people', { reducedMotion: 'reduce' })
    const found: string[] = []
    const check = async (where: string) => {
      await page.evaluate(axe.source)
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
      found.push(...violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]?.html}`))
    }
    await page.getByLabel('Select all on this page').check()
    await check('selection')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const typed = page.getByLabel(/to confirm/)
    await typed.waitFor()
    await page.keyboard.type('x')
    expect(await typed.inputValue()).toBe('x')
    await check('delete')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add person' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Time zone' }).fill('PST')
    await page.getByRole('option', { name: 'Los Angeles' }).waitFor()
    await check('time zones')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Asia/Manila' }).waitFor()
    await check('suggestions')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const buffer = Buffer.from('first,last,dob,tz\nA,B,1990-01-01,UTC\nA,,1/2/1990,PST\n')
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Import 1 person' }).waitFor()
    await check('import')
    expect(found).toEqual([])
  })

  it('has its filters behind one button on a phone', async () => {
    page = await dashboard.open('people?paused=false', { viewport: { width: 390, height: 800 } })
    const due = page.getByLabel('Due', { exact: true })
    const button = page.getByRole('button', { name: 'Filters (1)' })
    await button.waitFor()
    expect(await due.isVisible()).toBe(false)
    await button.click()
    const filters = page.getByRole('search').locator('select, [role=combobox]')
    const boxes = await Promise.all((await filters.all()).map((filter) => filter.boundingBox()))
    expect(new Set(boxes.map((box) => `${box!.x} ${box!.width}`)).size, 'columns').toBe(1)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await due.selectOption('7d')
    await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
  })

  it('isolates a name from the direction of the text beside it', async () => {
    page = await dashboard.open('people')
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    const bidi = await page.evaluate(`getComputedStyle(document.querySelector('a[data-row]')).unicodeBidi`)
    expect(bidi).toBe('isolate')
  })

  it('adds a person in a dialog that starts at the first field and keeps its text', async () => {
    page = await dashboard.open('people')
    await page.getByRole('button', { name: 'Add person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add person' })
    await dialog.waitFor()
    await page.keyboard.type('Mary')
    expect(await dialog.getByLabel('First name').inputValue()).toBe('Mary')
    await page.mouse.click(5, 5)
    await dialog.getByLabel('Last name').fill('Shelley')
    await dialog.getByLabel('Date of birth').fill('1980-01-02')
    const zone = dialog.getByLabel('Time zone')
    await zone.fill('Nowhere/Land')
    await page.route('**/user', (route) => route.fulfill({ status: 400, json: REJECTED }))
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Unknown timezone.').waitFor()
    await dialog.getByText('Not an email address.').waitFor()
    await zone.fill('Europe/London')
    await dialog.getByText('Unknown timezone.').waitFor({ state: 'detached' })
    expect(await dialog.getByText('Not an email address.').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The browser logs the rejected request.
    expect(dashboard.pageErrors().every((one) => one.includes('400'))).toBe(true)
  })

  it('finds a time zone by city, country and abbreviation, with the keyboard and with one click', async () => {
    page = await dashboard.open('people')
    await page.getByRole('button', { name: 'Add person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add person' })
    const zone = dialog.getByRole('combobox', { name: 'Time zone' })
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await zone.fill('tokyo')
    await options.filter({ hasText: 'Tokyo, Japan' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await zone.inputValue()).toBe('Asia/Tokyo')
    await options.first().waitFor({ state: 'hidden' })
    await zone.fill('united states')
    await options.filter({ hasText: 'New York' }).waitFor()
    expect(await zone.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    const active = await zone.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).innerText()).toContain('Chicago, United States')
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'hidden' })
    expect(await dialog.count()).toBe(1)
    await zone.fill('PST')
    await options.filter({ hasText: 'Los Angeles' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('Not a time zone. Did you mean').waitFor()
    await dialog.getByRole('button', { name: 'Asia/Manila' }).click()
    expect(await zone.inputValue()).toBe('Asia/Manila')
    await dialog.getByText(/Now \d\d:\d\d .*, UTC\+8/).waitFor()
    await zone.fill('paris')
    await options.filter({ hasText: 'Paris, France' }).click()
    expect(await zone.inputValue()).toBe('Europe/Paris')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('shows which events a change reschedules before it is saved', async () => {
    page = await dashboard.open(`people/${ada.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('complementary', { name: 'Person' })
    await form.getByLabel('Time zone').fill('Europe/London')
    await form.getByText('Reschedules 1 event: 16:00Z → 09:00Z').waitFor()
    const unchanged = await dashboard.call<Person>('GET', `/user/${ada.id}`)
    expect(unchanged.timezone).toBe('America/Vancouver')
    await form.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByText('Saved. 1 event rescheduled.')
    await notice.waitFor()
    const [noticeBox, panelBox] = [await notice.boundingBox(), await form.boundingBox()]
    expect(noticeBox!.x + noticeBox!.width).toBeLessThan(panelBox!.x)
    await form.getByText(/in London, UTC\+[01]/).waitFor()
  })

  it('adds an occasion with a preview, pauses it, and completes a task', async () => {
    page = await dashboard.open(`people/${ada.id}`)
    const panel = page.getByRole('complementary', { name: 'Person' })
    await panel.getByRole('button', { name: 'Add' }).first().click()
    await panel.getByLabel('Type').fill('Work anniversary')
    await panel.getByLabel('Original date').fill('2020-02-29')
    await panel
      .getByText(/29 February does not exist/)
      .first()
      .waitFor()
    await panel.getByRole('button', { name: 'Add occasion' }).click()
    const item = panel.getByRole('listitem').filter({ hasText: 'every year on 29 February' })
    await item.getByRole('button', { name: 'Pause' }).click()
    await item.getByText('paused', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Add' }).last().click()
    await panel.getByLabel('Title').fill('Renew the passport')
    await panel.getByLabel('Due (local time in London)').fill('2049-06-01T12:00')
    await panel.getByRole('button', { name: 'Add task' }).click()
    // Noon in London during summer time.
    await panel.getByText('11:00Z').waitFor()
    await panel.getByRole('button', { name: 'Complete Renew the passport' }).click()
    await page.getByText('Done. No more reminders.').waitFor()
    await panel.getByRole('button', { name: 'Delete Renew the passport' }).click()
    const question = page.getByRole('dialog', { name: 'Delete task?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await panel.getByText('Renew the passport').waitFor()
    await panel.getByRole('button', { name: 'Delete Renew the passport' }).click()
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Task deleted.').waitFor()
    await panel.getByText('No tasks.').waitFor()
  })

  it('undoes a deletion, and commits one when the page is closed', async () => {
    const gone = await createPerson(dashboard, 'Gone Soon')
    page = await dashboard.open(`people/${gone.user.id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Gone Soon' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Gone Soon deleted.').waitFor()
    await dashboard.call('GET', `/user/${gone.user.id}`)
    await page.goto('about:blank')
    await expect.poll(() => dashboard.call('GET', `/user/${gone.user.id}`).catch(String)).toMatch(/404/)
  })

  it('pauses and resumes the occasions of all matches, after counting them', async () => {
    page = await dashboard.open('people?search=kart')
    await page.getByText('Bulk actions').click()
    await page.getByRole('button', { name: 'Pause occasions…' }).click()
    await page.getByLabel('Occasion type (optional)').fill('birthday')
    const lost =
      '1 birthday occasion will be paused. What falls due while they are paused is not sent later. Messages that wait for a retry or for their channel fail with OCCASION_PAUSED; only one in flight at this moment still goes out.'
    await page.getByText(lost).waitFor()
    await page.getByRole('button', { name: 'Hold messages…' }).waitFor()
    await page.getByRole('button', { name: 'Pause 1' }).click()
    await page.getByText('1 occasion paused.').waitFor()
    type Row = { next: object | null }
    const next = async (): Promise<object | null> =>
      (await dashboard.call<{ items: Row[] }>('GET', '/user?search=kart')).items[0]!.next
    expect(await next()).toBeNull()
    await page.getByText('Bulk actions').click()
    await page.getByRole('button', { name: 'Resume occasions…' }).click()
    await page.getByText('1 occasion will be resumed.').waitFor()
    await page.getByRole('button', { name: 'Resume 1' }).click()
    await page.getByText('1 occasion resumed.').waitFor()
    expect(await next()).not.toBeNull()
  })
})
