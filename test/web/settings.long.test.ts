// The settings page on the real product: channels, templates, environment, audit log and time.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startMailServer } from '../channels/email/support/mail-server.ts'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { createPerson, useDashboard, useReceiver } from './support/use-dashboard.ts'

let page: Page

const receiver = useReceiver()
const dashboard = useDashboard({}, () =>
  createPerson(dashboard, 'Raden Kartini', { timezone: 'Asia/Jakarta' }),
)

async function addWebhook(name: string, isDefault = false): Promise<string> {
  const webhook = { kind: 'webhook', name, url: `${receiver.url}/${name}`, isDefault }
  return (await dashboard.call<{ channel: { id: string } }>('POST', '/channel', webhook)).channel.id
}

function itemOf(name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
}

async function confirm(action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}

describe('the settings page', () => {
  it('moves the send time of people who exist, after a count', async () => {
    page = await dashboard.open('settings/time')
    await page.getByRole('button', { name: 'Move the send time…' }).click()
    await page.getByText('0 occasions and 0 messages will move.').waitFor()
    await page.getByLabel('New send time').fill('08:30')
    await page.getByLabel('Only those sent at').fill('09:00')
    await page.getByText('1 occasion and 1 message will move.').waitFor()
    await confirm('Move 1')
    await page.getByText('1 occasion and 1 message moved.').waitFor()
    const { items } = await dashboard.call<{ items: { next: { local: string } }[] }>('GET', '/user')
    expect(items.map(({ next }) => next.local.slice(11, 16))).toEqual(['08:30'])
  })

  it('asks whether a second channel becomes the default, and makes it the default later, then the inbox again', async () => {
    await addWebhook('older', true)
    page = await dashboard.open('settings/channels')
    await page.getByLabel('Name').fill('newer')
    await page.getByLabel('URL').fill(`${receiver.url}/newer`)
    const box = page.getByRole('checkbox', { name: /Make it the default channel/ })
    await page.getByText(/It is older now\./).waitFor()
    expect(await box.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
    const [older, newer] = [itemOf('older'), itemOf('newer')]
    await older.getByText('default', { exact: true }).waitFor()
    expect(await newer.getByText('default', { exact: true }).count()).toBe(0)
    await newer.getByRole('button', { name: 'Make default' }).click()
    await confirm('Make default')
    await newer.getByText('default', { exact: true }).waitFor()
    expect(await older.getByText('default', { exact: true }).count()).toBe(0)
    await itemOf('inbox').getByRole('button', { name: 'Make default' }).click()
    await itemOf('inbox').getByText('default', { exact: true }).waitFor()
    expect(await page.getByText('default', { exact: true }).count()).toBe(1)
  })

  it('shows one channel: state, figures, last messages, a probe now, and a hold with an end', async () => {
    const id = await addWebhook('watched', true)
    const timezone = afternoonZone(Date.now())
    const today = { timezone, dateOfBirth: birthDateToday(timezone, Date.now()), sendTodayNow: true }
    const send = (lastName: string) => createPerson(dashboard, `Ida ${lastName}`, today)
    const health = () => dashboard.call<{ last24h: object }>('GET', `/channel/${id}/health`)
    await send('Noddack')
    await expect.poll(health).toMatchObject({ last24h: { delivered: 1, failed: 0 } })
    page = await dashboard.open('settings/channels')
    await itemOf('watched').getByRole('link', { name: 'Details' }).click()
    const figures = page.getByRole('region', { name: 'State and figures' })
    await figures.getByText('No outage is known.').waitFor()
    await figures.getByText('100%').waitFor()
    await page.getByRole('link', { name: /sent.*Ida Noddack/ }).waitFor()

    receiver.rejects = true
    receiver.status = 503
    await send('Tacke')
    await figures.getByText(/has been down since .*HTTP 503/).waitFor()
    await page.getByRole('button', { name: 'Probe now' }).click()
    await page.getByText(/^watched is down since .*\(HTTP 503\); next try (in \d+ s|now)\.$/).waitFor()
    const sent = receiver.keys.length
    receiver.rejects = false
    await page.getByRole('button', { name: 'Probe now' }).click()
    await page.getByText('watched responds again. Its messages are sent now.').waitFor()
    await figures.getByText('No outage is known.').waitFor()
    await page.getByRole('link', { name: /sent.*Ida Tacke/ }).waitFor()
    expect(receiver.keys).toHaveLength(sent + 1)
    receiver.status = 422

    await page.getByRole('button', { name: 'Hold…' }).click()
    await confirm('Hold')
    await figures.getByText(/is held until .* wait until then/).waitFor()
    await itemOf('watched').getByRole('button', { name: 'Release' }).last().click()
    await figures.getByText('No outage is known.').waitFor()
  })

  it('edits a channel, switches it off and on, and deletes it', async () => {
    await addWebhook('edited')
    page = await dashboard.open('settings/channels')
    await itemOf('edited').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('nowhere')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/http/).waitFor()
    await dialog.getByLabel('URL').fill(`${receiver.url}/moved`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const item = page.getByRole('listitem').filter({ hasText: '/moved' })
    await item.getByRole('button', { name: 'Switch off' }).click()
    await confirm('Switch off')
    await item.getByText('switched off', { exact: true }).waitFor()
    await item.getByRole('button', { name: 'Switch on' }).click()
    await item.getByText('active', { exact: true }).waitFor()
    await item.getByRole('button', { name: 'Delete' }).click()
    await confirm('Delete')
    await item.waitFor({ state: 'detached' })
    // The console logs the rejected URL as an error.
    expect(dashboard.pageErrors().every((one) => one.includes('400'))).toBe(true)
  })

  it('sets the limits and options of a channel, and clears them', async () => {
    type Limited = { perSecond: number | null; concurrency: number | null; listUnsubscribe?: string | null }
    const stored = async (name: string) => {
      const { items } = await dashboard.call<{ items: (Limited & { name: string })[] }>('GET', '/channel')
      return items.find((channel) => channel.name === name)
    }
    page = await dashboard.open('settings/channels')
    await page.getByRole('radio', { name: 'SMTP' }).check()
    await page.getByLabel('Name').fill('limited')
    await page.getByLabel('SMTP server').fill('smtp://127.0.0.1:2525?tls=off')
    await page.getByLabel('From').fill('hello@example.com')
    await page.getByText('Limits and options').click()
    await page.getByLabel('Unsubscribe link').fill('https://example.com/leave/{userId}')
    await page.getByLabel('Messages per second').fill('50')
    await page.getByLabel('Messages at the same time').fill('3')
    await page.getByRole('checkbox', { name: 'Allow a connection without TLS' }).check()
    await page.getByRole('button', { name: 'Add e-mail channel' }).click()
    await itemOf('limited').getByText('At most 50 per second, 3 at a time.').waitFor()
    expect(await stored('limited')).toMatchObject({
      ...{ perSecond: 50, concurrency: 3, allowPlaintext: true },
      listUnsubscribe: 'https://example.com/leave/{userId}',
    })
    await itemOf('limited').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Messages per second').fill('')
    await dialog.getByLabel('Unsubscribe link').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await itemOf('limited').getByText('At most 3 at a time.').waitFor()
    expect(await stored('limited')).toMatchObject({ perSecond: null, concurrency: 3, listUnsubscribe: null })
  })

  it('does not delete a channel that an occasion names, and says why', async () => {
    const id = await addWebhook('named')
    const [person] = (await dashboard.call<{ items: { id: string }[] }>('GET', '/user')).items
    const payDay = { type: 'PAY_DAY', date: '2026-01-31', channel: id }
    await dashboard.call('POST', `/user/${person!.id}/occasion`, payDay)
    page = await dashboard.open('settings/channels')
    await itemOf('named').getByRole('button', { name: 'Delete' }).click()
    await confirm('Delete')
    await page
      .getByRole('alert')
      .getByText(/Give the occasions another channel/)
      .waitFor()
    expect(dashboard.pageErrors().every((one) => one.includes('409'))).toBe(true)
  })

  it('adds an SMTP channel, and its test shows what the server replied', async () => {
    const mails = await startMailServer()
    page = await dashboard.open('settings/channels')
    await page.getByRole('radio', { name: 'SMTP' }).check()
    await page.getByLabel('Name').fill('mail')
    await page.getByLabel('SMTP server').fill(`smtp://127.0.0.1:${mails.port}?tls=off`)
    await page.getByLabel('From').fill('Terce <hello@example.com>')
    await page.getByRole('button', { name: 'Add e-mail channel' }).click()
    const item = itemOf('mail')
    await item.getByRole('button', { name: 'Test' }).click()
    await item.getByText(/Test delivered: 250/).waitFor()
    await item.getByText(/^250 OK/).waitFor()
    expect(mails.arrivals.map(({ to }) => to)).toEqual([['hello@example.com']])
    await mails.close()
  })

  it('adds a mail API channel, and its failed test shows what the server responded', async () => {
    page = await dashboard.open('settings/channels')
    await page.getByRole('radio', { name: 'Mail API' }).check()
    await page.getByLabel('Name').fill('resend')
    await page.getByLabel('API key').fill('re_123')
    await page.getByLabel('From').fill('hello@example.com')
    await page.getByLabel('API URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Add e-mail channel' }).click()
    receiver.rejects = true
    const item = itemOf('resend')
    await item.getByRole('button', { name: 'Test' }).click()
    await item.getByText(/Test failed: 422/).waitFor()
    await item.getByText('rejected by the test').waitFor()
    receiver.rejects = false
  })

  it('lists the settings of the process with their sources, secrets masked', async () => {
    page = await dashboard.open('settings/environment')
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
    await rowOf('DELIVER_AT').getByText('09:00').waitFor()
    await rowOf('DELIVER_AT').getByText('default', { exact: true }).waitFor()
    await rowOf('ALLOW_PRIVATE_TARGETS').getByText('environment', { exact: true }).waitFor()
    await rowOf('TERCE_SECRET_KEY').getByText('***').waitFor()
    await rowOf('PUBLIC_URL').getByText('not set').waitFor()
  })

  it('has an address for each tab', async () => {
    page = await dashboard.open('settings/keys')
    await page.getByText('No API keys yet.').waitFor()
    for (const [label, words] of [
      ['Audit log', 'Object id'],
      ['Environment', 'DATABASE_URL'],
    ] as const) {
      await page.getByRole('link', { name: label }).click()
      await page.getByText(words).first().waitFor()
      const path = new URL(page.url()).pathname
      await page.reload()
      await page.getByText(words).first().waitFor()
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await page.goto(`${dashboard.url}/app/settings/nothing`)
    await page.getByText('Page not found.').waitFor()
  })

  it('lists every type in use under Templates, and does not save a broken text', async () => {
    const [person] = (await dashboard.call<{ items: { id: string }[] }>('GET', '/user')).items
    const rentDay = { type: 'RENT_DAY', date: '2026-01-31' }
    await dashboard.call('POST', `/user/${person!.id}/occasion`, rentDay)
    page = await dashboard.open('settings/templates')
    for (const name of ['Birthday', 'Rent day', 'Task reminder'])
      await page.getByRole('button', { name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rent day', exact: true }).click()
    await page.getByLabel('Message (Liquid)').fill('Rent is due, {{ firstName }')
    await page.getByText(/line 1/i).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByLabel('Message (Liquid)').fill('Rent is due, {{ firstName }}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved/).waitFor()
    expect(dashboard.pageErrors().every((one) => one.includes('400'))).toBe(true)
  })

  it('does not overwrite a template that was changed meanwhile, and deletes one after a question', async () => {
    const put = (body: string) => dashboard.call('PUT', '/template/BIRTHDAY/sv', { body })
    await put('Hej, {{ firstName }}')
    page = await dashboard.open('settings/templates')
    await page.getByRole('button', { name: 'Birthday, sv' }).click()
    const text = page.getByLabel('Message (Liquid)')
    await put('Grattis, {{ firstName }}')
    await text.fill('Min text')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/This template was changed meanwhile/).waitFor()
    expect(await text.inputValue()).toBe('Min text')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Reload' }).click()
    expect(await text.inputValue()).toBe('Grattis, {{ firstName }}')
    for (const next of ['Min text', 'Ny text']) {
      await text.fill(next)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect
        .poll(() => dashboard.call('GET', '/template/BIRTHDAY/sv'), { timeout: 60_000 })
        .toMatchObject({ body: next })
      // The page has the version of its own change only once it has the response.
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor()
    }
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirm('Delete')
    await page.getByText('Template deleted.').waitFor()
    await page.getByRole('button', { name: 'Birthday, sv' }).waitFor({ state: 'detached' })
    expect(dashboard.pageErrors().every((one) => one.includes('412'))).toBe(true)
  })

  it('shows the time zone data release, the send time and the retries', async () => {
    page = await dashboard.open('settings/time')
    await page
      .getByText(/^tz \d{4}[a-z]$/)
      .last()
      .waitFor()
    await page.getByText('09:00 local time').waitFor()
    expect(await page.locator('main').innerText()).toMatch(/1 s\s*·\s*2 s\s*·\s*4 s/)
  })

  it('lists the audit log, and filters it by action and object', async () => {
    await dashboard.call('POST', '/channel', {
      ...{ kind: 'webhook', name: 'audited', url: `${receiver.url}/audited` },
    })
    page = await dashboard.open('settings/audit')
    const row = page.getByRole('row').filter({ hasText: 'Channel created' }).first()
    await row.getByText('no key').waitFor()
    await page.getByLabel('Action').selectOption('channel.held')
    await page.getByRole('row').filter({ hasText: 'Channel created' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Action').selectOption('')
    await row.getByRole('button').click()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(await page.getByRole('row').count()).toBe(2)
  })
})
