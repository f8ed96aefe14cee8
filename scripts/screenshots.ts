// Takes a picture of every page from a running Terce in a real browser, light and dark, into docs/pictures: node scripts/screenshots.ts.
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
import { startReceiver } from '../test/web/support/receiver.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const ZONES = [
  ...[
    'Asia/Tokyo',
    'Asia/Seoul',
    'Asia/Manila',
    'Asia/Kolkata',
    'Asia/Dubai',
    'Europe/Istanbul',
    'Africa/Lagos',
  ],
  ...['Europe/Berlin', 'Europe/London', 'America/Sao_Paulo', 'America/New_York', 'America/Chicago'],
  ...['America/Denver', 'America/Vancouver'],
]
const FIRST = ['Ada', 'Kofi', 'Hana', 'Raden', 'Sofia', 'Omar', 'Leila', 'Aiko']
const LAST = ['Sato', 'Rossi', 'Novak', 'Haddad', 'Mori', 'Okafor', 'Demir']

type Created = { user: { id: string } }

/** Demo people, 200 more, messages that were delivered, and one that failed. Returns the pages to show, by name. */
async function fill({ call }: Dashboard, receiverUrl: string): Promise<Record<string, string>> {
  await call('POST', '/demo')
  const now = Date.now()
  const users = Array.from({ length: 200 }, (_, i) => ({
    firstName: FIRST[i % 8],
    lastName: LAST[i % 7],
    dateOfBirth: `1990${new Date(now + (i % 3 === 0 ? 0 : i % 90) * 86_400_000).toISOString().slice(4, 10)}`,
    timezone: ZONES[i % ZONES.length],
    sendTodayNow: i % 3 === 0,
  }))
  await call('POST', '/user/bulk', { users })
  const webhook = { kind: 'webhook', name: 'crm', url: receiverUrl }
  const { channel } = await call<{ channel: { id: string } }>('POST', '/channel', webhook)
  const timezone = afternoonZone(now)
  const dateOfBirth = birthDateToday(timezone, now)
  const zoe = { firstName: 'Zoë', lastName: 'Müller', dateOfBirth, timezone }
  const { user } = await call<Created>('POST', '/user', zoe)
  await call('POST', `/user/${user.id}/occasion`, {
    ...{ type: 'WORK_ANNIVERSARY', date: dateOfBirth, template: 'Thank you, {{ firstName }}' },
    ...{ channel: channel.id, sendTodayNow: true },
  })
  // The first demo person is due about 20 seconds after loading.
  await sleep(25_000)
  const { items } = await call<{ items: { id: string }[] }>('GET', '/event?status=FAILED')
  return {
    today: 'today',
    people: 'people',
    person: `people/${user.id}`,
    messages: 'messages',
    event: `event/${items[0]?.id}`,
    failures: 'failures',
    upcoming: 'upcoming',
    machine: 'machine?dob=1992-02-29&zone=America/Vancouver',
    inbox: 'inbox',
    settings: 'settings/channels',
    docs: '../docs',
  }
}

const receiver = await startReceiver()
receiver.rejects = true
const dashboard = await startDashboard({ RETRY: '30s,30s,30s' })
try {
  const pages = await fill(dashboard, receiver.url)
  mkdirSync(PICTURES, { recursive: true })
  for (const [name, path] of Object.entries(pages)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await dashboard.open(path, { viewport: { width: 1280, height: 860 }, colorScheme })
      await sleep(2_500)
      await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}.png` })
      await page.context().close()
    }
  }
} finally {
  await dashboard.close()
  await (await sharedBrowser()).close()
  receiver.close()
}
