// The occasion form on the real product: types, presets, rules in words and the next dates.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createPerson, useDashboard } from './support/use-dashboard.ts'

type Occasion = { type: string; repeats: string; template: string | null }
type Listed = { items: Occasion[] }

let page: Page
let id: string

const dashboard = useDashboard({ DELIVER_AT: '08:30' }, async () => {
  id = (await createPerson(dashboard, 'Ada Lovelace', { timezone: 'Europe/London' })).user.id
})

async function openForm(): Promise<Locator> {
  page = await dashboard.open(`people/${id}`)
  const panel = page.getByRole('complementary', { name: 'Person' })
  await panel.getByRole('button', { name: 'Add' }).first().click()
  return panel
}

const dates = (panel: Locator) => panel.getByRole('region', { name: 'Next messages' })

describe('the occasion form', () => {
  it('stores free text as a type, suggests the types in use, and begins with the time of DELIVER_AT', async () => {
    const panel = await openForm()
    expect(await panel.getByLabel('Time (local)').inputValue()).toBe('08:30')
    await panel.getByLabel('Type').fill('Première journée')
    await panel.getByText('Stored as PREMIERE_JOURNEE').waitFor()
    await panel.getByText(/This type has no text yet/).waitFor()
    await panel.getByLabel('Custom message').fill('Welcome, {{ firstName }}!')
    await panel.getByText(/This type has no text yet/).waitFor({ state: 'detached' })
    await panel.getByLabel('Original date').fill('2020-03-01')
    await panel.getByRole('button', { name: 'Add occasion' }).click()
    await panel.getByRole('listitem').filter({ hasText: 'Premiere journee' }).first().waitFor()
    const { items } = await dashboard.call<Listed>('GET', `/user/${id}/occasion`)
    expect(items.map(({ type }) => type)).toContain('PREMIERE_JOURNEE')
    await panel.getByRole('button', { name: 'Add' }).first().click()
    await panel.getByText('Enter a date to see the next messages.').waitFor()
    const suggestions = panel.locator('datalist option')
    await expect
      .poll(() =>
        suggestions.evaluateAll((all) => (all as unknown as { value: string }[]).map(({ value }) => value)),
      )
      .toEqual(['Birthday', 'Premiere journee', 'Work anniversary', 'Name day', 'Wedding anniversary'])
  })

  it('previews the dates before there is a type, and disables saving for a type that is not accepted', async () => {
    const panel = await openForm()
    await panel.getByLabel('Original date').fill('2020-02-29')
    await dates(panel).getByText('Every year on 29 February at 08:30 local time').waitFor()
    await dates(panel)
      .getByText(/29 February does not exist/)
      .first()
      .waitFor()
    const add = panel.getByRole('button', { name: 'Add occasion' })
    expect(await add.isDisabled()).toBe(true)
    await panel.getByLabel('Type').fill('task reminder')
    await panel.getByText('Add a task instead: its reminder is created with it.').waitFor()
    await panel.getByLabel('Type').fill('Name day')
    expect(await add.isDisabled()).toBe(false)
  })

  it('makes a monthly rule of a weekday, and edits it as such', async () => {
    const panel = await openForm()
    await panel.getByLabel('Type').fill('Team lunch')
    await panel.getByLabel('Repeats').selectOption('Every month')
    await panel.getByLabel('Starts on').fill('2026-01-05')
    await panel.getByLabel('On', { exact: true }).selectOption('A weekday')
    await panel.getByLabel('Which').selectOption('Second')
    await panel.getByLabel('Weekday').selectOption('Tuesday')
    const words = 'every month on the second Tuesday at 08:30 local time from 2026-01-05 on'
    await dates(panel).getByText(words).waitFor()
    await expect
      .poll(() =>
        dates(panel)
          .getByText(/^08:30 Tue /)
          .count(),
      )
      .toBe(3)
    await panel.getByLabel('Custom message').fill('Lunch, {{ firstName }}!')
    await panel.getByRole('button', { name: 'Add occasion' }).click()
    await panel.getByRole('listitem').filter({ hasText: words }).waitFor()
    await panel.getByRole('button', { name: 'Edit Team lunch' }).click()
    expect(await panel.getByLabel('Repeats').inputValue()).toBe('MONTHLY')
    await panel.getByLabel('On', { exact: true }).selectOption('The last day of the month')
    await dates(panel).getByText('every month on the last day at 08:30 local time from').waitFor()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    // The page may still show the notice of the occasion that was added.
    const stored = async () => {
      const { items } = await dashboard.call<Listed>('GET', `/user/${id}/occasion`)
      return items.find(({ type }) => type === 'TEAM_LUNCH')
    }
    await expect.poll(stored).toMatchObject({ repeats: 'FREQ=MONTHLY;BYMONTHDAY=-1' })
  })

  it('makes a weekly rule of one or more weekdays', async () => {
    const panel = await openForm()
    await panel.getByLabel('Repeats').selectOption('Every week')
    await panel.getByLabel('Starts on').fill('2026-01-05')
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) {
      const box = panel.getByRole('checkbox', { name: day })
      if ((await box.isChecked()) !== ['Mon', 'Fri'].includes(day)) await box.click()
    }
    await dates(panel).getByText('every week on Monday and Friday at 08:30 local time').waitFor()
    await panel.getByRole('checkbox', { name: 'Mon' }).click()
    await dates(panel).getByText('every week on Friday at 08:30 local time').waitFor()
    // A week without a day is no rule.
    await panel.getByRole('checkbox', { name: 'Fri' }).click()
    expect(await panel.getByRole('checkbox', { name: 'Fri' }).isChecked()).toBe(true)
  })

  it('says in words what a typed rule means, and what is wrong with it', async () => {
    const panel = await openForm()
    await panel.getByLabel('Type').fill('Pay day')
    await panel.getByLabel('Repeats').selectOption('Custom (RRULE)')
    await panel.getByLabel('Starts on').fill('2026-01-31')
    const rule = panel.getByLabel('RRULE')
    const add = panel.getByRole('button', { name: 'Add occasion' })
    await rule.fill('FREQ=MONTHLY;BYDAY=-1FR')
    await dates(panel).getByText('every month on the last Friday at 08:30 local time').waitFor()
    await expect
      .poll(() =>
        dates(panel)
          .getByText(/^08:30 Fri /)
          .count(),
      )
      .toBe(3)
    expect(await add.isDisabled()).toBe(false)
    await rule.fill('FREQ=HOURLY')
    await panel
      .getByText('FREQ=HOURLY is not supported. Use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.')
      .waitFor()
    await dates(panel).getByText('Correct the rule to see the next dates.').waitFor()
    expect(await add.isDisabled()).toBe(true)
    await rule.fill('FREQ=WEEKLY;BYDAY=MO')
    await dates(panel).getByText('every week on Monday').waitFor()
    expect(await panel.getByText('FREQ=HOURLY is not supported').count()).toBe(0)
  })
})
