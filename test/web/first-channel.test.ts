// From the first page to a signed message in a receiver on this computer, on a new SQLite file and without any setting.
import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { verify } from '../../src/receiver/receiver.ts'
import { startDashboard } from './support/browser.ts'
import { countClicks } from './support/clicks.ts'
import { startReceiver } from './support/receiver.ts'

const MOST_CLICKS = 6

it(`The first channel takes at most ${MOST_CLICKS} clicks and no restart`, async () => {
  const unset = { ALLOW_PRIVATE_TARGETS: '', TERCE_SECRET_KEY: '' }
  const [dashboard, receiver] = await Promise.all([startDashboard(unset), startReceiver()])
  onTestFinished(async () => {
    await dashboard.close()
    receiver.close()
  })
  const page = await dashboard.open()
  const clicks = await countClicks(page)

  await page.getByRole('link', { name: 'Settings' }).first().click()
  const form = page.locator('form')
  await form.getByText('or a program on this computer, such as http://127.0.0.1:8080/').waitFor()
  await form.getByLabel('Name').click()
  await page.keyboard.type('mine')
  await form.getByLabel('URL').click()
  await page.keyboard.type(`${receiver.url}/hook`)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const secret = (await page.getByText(/^whsec_/).textContent())!
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText(/Test delivered: 204/).waitFor()
  expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS)
  expect(receiver.messages).toHaveLength(1)
  for (const message of receiver.messages)
    expect(await verify({ ...message, secrets: [secret], now: Date.now() })).toMatchObject({
      kind: 'verified',
    })
  expect(existsSync(`${dashboard.database}.key`)).toBe(true)
  expect(dashboard.pageErrors()).toEqual([])
})
