// Takes the pictures of the docs from a running Terce with demo data in a real browser, into docs/pictures: npm run screenshots.
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  afternoonZone,
  birthDateToday,
  type Dashboard,
  sharedBrowser,
  startDashboard,
} from '../test/web/support/browser.ts'
import { closeDays, closeDayWithProblem } from '../test/web/support/closed-days.ts'
import { startReceiver, type TestReceiver } from '../test/web/support/receiver.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const DAY_MS = 86_400_000
const ZONES = [
  ...['Asia/Tokyo', 'Asia/Manila', 'Asia/Kolkata', 'Asia/Dubai', 'Europe/Istanbul', 'Africa/Lagos'],
  ...['Europe/Berlin', 'Europe/London', 'America/Sao_Paulo', 'America/New_York', 'America/Chicago'],
  ...['America/Denver', 'America/Vancouver'],
]
const FIRST = ['Ada', 'Kofi', 'Hana', 'Raden', 'Sofia', 'Omar', 'Leila', 'Aiko']
const LAST = ['Sato', 'Rossi', 'Novak', 'Haddad', 'Mori', 'Okafor', 'Demir']

type Created = { user: { id: string } }
type Items = { items: { id: string }[] }
type Picture = { path: string; width?: number; height: number; show?: string }

/** Demo people, 200 more, delivered messages, two groups of failures and a month of the ledger. Returns the pictures to take. */
async function fill(dashboard: Dashboard, receiver: TestReceiver): Promise<Record<string, Picture>> {
  const { call } = dashboard
  await call('POST', '/demo')
  const now = Date.now()
  const users = Array.from({ length: 200 }, (_, i) => ({
    firstName: FIRST[i % 8],
    lastName: LAST[i % 7],
    dateOfBirth: `1990${new Date(now + (i % 3 === 0 ? 0 : i % 90) * DAY_MS).toISOString().slice(4, 10)}`,
    timezone: ZONES[i % ZONES.length],
    sendTodayNow: i % 3 === 0,
  }))
  await call('POST', '/user/bulk', { users })
  const webhook = { kind: 'webhook', name: 'crm', url: receiver.url }
  const { channel } = await call<{ channel: { id: string } }>('POST', '/channel', webhook)
  const timezone = afternoonZone(now)
  const dateOfBirth = birthDateToday(timezone, now)
  const send = async (firstName: string, type: string) => {
    const { user } = await call<Created>('POST', '/user', {
      firstName,
      lastName: 'Müller',
      dateOfBirth,
      timezone,
    })
    const occasion = { type, date: dateOfBirth, template: 'Thank you, {{ firstName }}' }
    await call('POST', `/user/${user.id}/occasion`, { ...occasion, channel: channel.id, sendTodayNow: true })
    await sleep(1_000)
    return user.id
  }
  const sent = await send('Ingrid', 'WORK_ANNIVERSARY')
  for (const firstName of ['Jonas', 'Marta', 'Nils', 'Olga']) await send(firstName, 'WORK_ANNIVERSARY')
  for (const [status, firstName] of [
    [422, 'Zoë'],
    [422, 'Yuki'],
    [404, 'Xenia'],
  ] as const) {
    Object.assign(receiver, { rejects: true, status })
    await send(firstName, 'NAME_DAY')
  }
  const { items: occasions } = await call<Items>('GET', `/user/${sent}/occasion`)
  await closeDays(dashboard.database, 28, now)
  await closeDayWithProblem(dashboard.database, occasions[0]!.id)
  // The first demo person is due about 20 seconds after loading.
  await sleep(25_000)
  const { items } = await call<Items>('GET', `/user/${sent}/event?status=COMPLETED`)
  return {
    today: { path: 'today', width: 1100, height: 720 },
    people: { path: 'people', height: 620 },
    event: { path: `event/${items[0]!.id}`, height: 760 },
    failures: { path: 'failures', height: 560, show: 'Show' },
    channel: { path: `settings/channels?channel=${channel.id}`, height: 720 },
    ledger: { path: 'ledger', height: 760 },
  }
}

async function take(dashboard: Dashboard, name: string, { path, width = 1280, height, show }: Picture) {
  // Today is the picture of the README, which follows the theme of the reader.
  for (const colorScheme of name === 'today' ? (['light', 'dark'] as const) : (['light'] as const)) {
    const page = await dashboard.open(path, {
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
    })
    if (show !== undefined) await page.getByRole('button', { name: show }).first().click()
    await sleep(2_500)
    const file = `${PICTURES}${name === 'today' ? `today-${colorScheme}` : name}.png`
    await page.screenshot({ path: file })
    await page.context().close()
  }
}

const receiver = await startReceiver()
const dashboard = await startDashboard()
try {
  mkdirSync(PICTURES, { recursive: true })
  for (const [name, picture] of Object.entries(await fill(dashboard, receiver)))
    await take(dashboard, name, picture)
} finally {
  await dashboard.close()
  await (await sharedBrowser()).close()
  receiver.close()
}
