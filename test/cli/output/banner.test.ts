// The banner: the dashboard first, then the address, the database and the destination.
import { describe, expect, it } from 'vitest'
import { bannerText, type Started } from '../../../src/cli/output/banner.ts'
import type { Paint } from '../../../src/cli/output/colour.ts'
import type { Running } from '../../../src/runtimes/node/node.ts'

const plain: Paint = (_, text) => text

const RUNNING: Running = {
  address: 'http://127.0.0.1:3000',
  open: true,
  metricsAddress: null,
  target: 'http://127.0.0.1:3000/inbox?token=secret',
  tzVersion: '2026f',
  keyFile: null,
  stopped: [],
  stop: async () => {},
}
const STARTED: Started = {
  role: 'all',
  database: './data/terce.db',
  isNew: false,
  publicUrl: null,
  dashboard: null,
}

const banner = (running: Partial<Running> = {}, started: Partial<Started> = {}) =>
  bannerText({ ...RUNNING, ...running }, { ...STARTED, ...started }, plain).split('\n')

describe('the banner', () => {
  it('begins with the link to the dashboard', () => {
    const lines = banner()
    expect(lines[0]).toBe('Dashboard    http://127.0.0.1:3000/app/')
    expect(lines[1]).toMatch(/^Terce \S+ listens on http:\/\/127\.0\.0\.1:3000$/)
    expect(lines.slice(2)).toEqual([
      '  API        http://127.0.0.1:3000/docs',
      '  database   ./data/terce.db',
      '  timezones  IANA 2026f',
      '  delivery   to the built-in inbox, http://127.0.0.1:3000/inbox (set WEBHOOK_URL to change)',
      '  access     this machine only (no API key yet: terce keys create)',
    ])
  })

  it('says that the dashboard is not built, or older than its sources', () => {
    expect(banner({}, { dashboard: 'missing' })[0]).toBe(
      'Dashboard    not built: npm run build, then start again',
    )
    expect(banner({}, { dashboard: 'outdated' })[0]).toBe(
      'Dashboard    http://127.0.0.1:3000/app/ (older than web/src: npm run build)',
    )
  })

  it('links to PUBLIC_URL if it is set', () => {
    expect(banner({}, { publicUrl: 'https://terce.example' })[0]).toContain(' https://terce.example/app/')
  })

  it('marks a database that this start created', () => {
    expect(banner({}, { isNew: true })).toContain('  database   ./data/terce.db (new)')
  })

  it('names the key file, and says if it is missing', () => {
    const path = './data/terce.db.key'
    const line = (isMissing: boolean) => banner({ keyFile: { path, isMissing } })[4]
    expect(line(false)).toBe(
      `  key file   ${path} (encrypts the secrets of channels: back it up with the database)`,
    )
    expect(line(true)).toContain(`${path} is missing: channels with secrets cannot send.`)
  })

  it('of a worker has no dashboard', () => {
    const lines = banner({ address: null, target: 'https://crm.example/hook?key=1' }, { role: 'worker' })
    expect(lines[0]).toMatch(/^Terce \S+$/)
    expect(lines).toContain('  delivery   to https://crm.example/hook')
  })

  it('underlines the link to the dashboard', () => {
    const marked = bannerText(RUNNING, STARTED, (style, text) => `<${style}>${text}</>`)
    expect(marked).toContain('<cyan,underline>http://127.0.0.1:3000/app/</>')
  })
})
