// The first minute of a new user on the widest screen, and an outage at a process without retries.
import { describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { describeFirstMinute, type Inbox } from './support/first-minute.ts'
import { SCREENS } from './support/screens.ts'
import { createPerson, useDashboard } from './support/use-dashboard.ts'

const zone = afternoonZone(Date.now())

describeFirstMinute(SCREENS.slice(0, 1))

describe('an outage at a process without retries', () => {
  // With retries a message waits for the end of the outage, and nothing fails.
  const late = useDashboard({ RETRY: 'none' })

  it('shows the failed message, and one click restores the inbox and delivers it once', async () => {
    const inbox = await late.open('inbox', { timezoneId: zone })
    await inbox.getByText('Return 503').click()
    await inbox.getByRole('heading', { name: 'Simulated outage' }).waitFor()
    const today = { timezone: zone, dateOfBirth: birthDateToday(zone, Date.now()), sendTodayNow: true }
    await createPerson(late, 'Robin Walker', today)
    const failed = inbox.getByRole('list', { name: 'Failed messages' })
    await failed.getByText(/failed after 1 attempt\. Nothing is lost/).waitFor()
    await inbox.getByRole('button', { name: 'Restore and retry 1' }).click()
    await inbox.getByRole('button', { name: /Hey, Robin Walker/ }).waitFor()
    await inbox.getByText('1 rejected, 1 accepted, one message').waitFor()
    await failed.waitFor({ state: 'detached' })
    const { items } = await late.call<Inbox>('GET', '/inbox')
    expect(items).toMatchObject([{ timesReceived: 1, timesRejected: 1 }])
  })
})
