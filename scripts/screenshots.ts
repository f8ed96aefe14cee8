// Takes the screenshots of the README from a running Terce in a real browser: npm run screenshots.
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDashboard } from '../test/web/support/browser.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const CITIES =
  'Tokyo Seoul Manila Kolkata Dubai Istanbul Lagos Berlin London Sao_Paulo New_York Chicago Denver Vancouver'
const PLACES: Readonly<Record<string, string>> = {
  Tokyo: 'Asia',
  Seoul: 'Asia',
  Manila: 'Asia',
  Kolkata: 'Asia',
  Dubai: 'Asia',
}

function zoneOf(city: string): string {
  if (PLACES[city] !== undefined) return `${PLACES[city]}/${city}`
  if (city === 'Lagos') return 'Africa/Lagos'
  return /Istanbul|Berlin|London/.test(city) ? `Europe/${city}` : `America/${city}`
}

const dashboard = await startDashboard({ RETRY: '30s,30s,30s' })
try {
  const { call } = dashboard
  await call('POST', '/demo')
  const zones = CITIES.split(' ').map(zoneOf)
  const users = Array.from({ length: 200 }, (_, i) => ({
    firstName: ['Ada', 'Kofi', 'Hana', 'Raden', 'Sofia', 'Omar', 'Leila', 'Aiko'][i % 8],
    lastName: ['Sato', 'Rossi', 'Novak', 'Haddad', 'Mori', 'Okafor', 'Demir'][i % 7],
    dateOfBirth: new Date(
      Date.UTC(1990, new Date().getUTCMonth(), new Date().getUTCDate() + (i % 3 === 0 ? 0 : i % 90)),
    )
      .toISOString()
      .slice(0, 10),
    timezone: zones[i % zones.length],
    sendTodayNow: i % 3 === 0,
  }))
  await call('POST', '/user/bulk', { users })
  const { items } = await call<{ items: { user: { id: string } }[] }>('GET', '/people?limit=5')
  // The first demo person is due about 20 seconds after loading.
  await sleep(25_000)
  mkdirSync(PICTURES, { recursive: true })
  const pages = {
    today: '',
    person: `people/${items[3]!.user.id}`,
    machine: 'machine?dob=1992-02-29&zone=America/Vancouver',
  }
  for (const [name, path] of Object.entries(pages)) {
    const page = await dashboard.open(path, {
      viewport: { width: 1280, height: 860 },
      colorScheme: name === 'machine' ? 'dark' : 'light',
    })
    await sleep(2_500)
    await page.screenshot({ path: `${PICTURES}${name}.png` })
    await page.close()
  }
} finally {
  await dashboard.close()
}
