// The inbox page: its test message, and what it says once messages go elsewhere.
import { describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { createPerson, useDashboard, useReceiver } from './support/use-dashboard.ts'

const zone = afternoonZone(Date.now())
const TODAY = { timezone: zone, dateOfBirth: birthDateToday(zone, Date.now()), sendTodayNow: true }

let ada: string
const receiver = useReceiver()
const dashboard = useDashboard({}, async () => {
  ada = (await createPerson(dashboard, 'Ada Lovelace')).user.id
})

const typesOfAda = async () => {
  const { items } = await dashboard.call<{ items: { type: string }[] }>('GET', `/user/${ada}/occasion`)
  return items.map(({ type }) => type)
}

describe('the inbox page', () => {
  it('names the person of a test message before it is sent, and keeps no occasion of it', async () => {
    const page = await dashboard.open('inbox')
    await page.getByText('No messages yet.').waitFor()
    await page.getByText('Return 503').click()
    await page.getByText('The test message is for Ada Lovelace and goes to this inbox.').waitFor()
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByRole('list', { name: 'Pending deliveries' }).getByText('Ada Lovelace').waitFor()
    expect(await typesOfAda()).toContain('TEST_MESSAGE')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: /Hello, Ada!/ }).waitFor()
    await page.getByText('Test message, not kept in the history').waitFor()
    await expect.poll(typesOfAda).toEqual(['BIRTHDAY'])
  })

  it('shows a held message as waiting for its channel, and not the fallback time of its next check', async () => {
    await dashboard.call('POST', '/channel/hold', {})
    const page = await dashboard.open('inbox')
    // Workers follow a hold within a second.
    await page.waitForTimeout(1_500)
    await createPerson(dashboard, 'Nia Abara', TODAY)
    const pending = page.getByRole('list', { name: 'Pending deliveries' }).getByRole('listitem')
    await pending.filter({ hasText: '0 attempts, same key, waits for its channel' }).first().waitFor()
    await pending.getByRole('link').first().click()
    await page.getByText('No attempts yet.').waitFor()
    await dashboard.call('POST', '/channel/release')
    await page.getByText('sent', { exact: true }).first().waitFor()
  })

  it('says where messages go once a channel is the default, and sends no test', async () => {
    const page = await dashboard.open('inbox')
    await page.getByRole('button', { name: 'Send a test message' }).waitFor()
    const channel = { kind: 'webhook', name: 'my-sink', url: receiver.url, isDefault: true }
    await dashboard.call('POST', '/channel', channel)
    await page.getByText('Messages go to my-sink, the default channel. None arrive here.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No messages.', { exact: true }).waitFor()
    for (const words of ['Send a test message', 'Make the inbox fail', 'Load demo people'])
      expect(await page.getByText(words).count(), words).toBe(0)
    expect(receiver.keys).toEqual([])
  })
})
