// Runs the real product with a real Chromium, and records the errors of every page.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { startTerce } from '../../runtimes/support/terce-process.ts'
import { zoneAt } from '../../support/zone-at.ts'
import { findChromium } from './chromium.ts'

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url))
const BUILT = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

export type Dashboard = {
  url: string
  /** Path of the SQLite file. */
  database: string
  /** Opens a page of the dashboard, such as `people?search=ada`. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** Console errors and requests to other hosts since the last call. */
  pageErrors(): string[]
  closePages(): Promise<void>
  /** Calls the API. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

/** Builds the dashboard into dist/web if its sources changed. */
export const builtDashboard = () => oneAtATime(buildIfStale)

/** Starts Terce on a new database. */
export async function startDashboard(env: Record<string, string> = {}): Promise<Dashboard> {
  await builtDashboard()
  const folder = mkdtempSync(join(tmpdir(), 'terce-web-'))
  const database = join(folder, 'terce.db')
  const [terce, browser] = await Promise.all([
    startTerce({
      DATABASE_URL: `sqlite:${database}`,
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_TARGETS: 'true',
      TERCE_SECRET_KEY: randomBytes(32).toString('base64'),
      ...env,
    }),
    sharedBrowser(),
  ])
  const errors: string[] = []
  const contexts = new Set<BrowserContext>()
  const closePages = async () => {
    await Promise.all([...contexts].map((context) => context.close()))
    contexts.clear()
  }
  return {
    closePages,
    url: terce.url,
    database,
    pageErrors: () => errors.splice(0),
    open: async (path = '', options = {}) => {
      const page = await newPage(browser, options)
      contexts.add(page.context())
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('request', (request) => {
        const isOurs = request.url().startsWith(terce.url) || /^(data|blob|about):/.test(request.url())
        if (!isOurs) errors.push(`Request to another host: ${request.url()}`)
      })
      await page.goto(`${terce.url}/app/${path}`)
      return page
    },
    call: async (method, path, body) => {
      const response = await fetch(terce.url + path, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    close: async () => {
      await closePages()
      await terce.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let browser: Promise<Browser> | undefined

/**
 * One browser for all test files of a worker: its start takes a second of CPU time. Each page has a context of its own. The browser
 * ends with the process.
 */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  return browser
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(await oneAtATime(findChromium)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** A zone where it is afternoon now: 09:00 has passed, and midnight is hours away. */
export function afternoonZone(now: number): string {
  const hoursEast = 15 - new Date(now).getUTCHours()
  const wrapped = hoursEast > 14 ? hoursEast - 24 : hoursEast
  return zoneAt(wrapped)
}

/** Today's date there, in a leap year, so that every date exists. */
export function birthDateToday(timezone: string, now: number): string {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now)
  return `1992-${date.slice(5)}`
}

async function buildIfStale(): Promise<void> {
  const newest = (folder: string) =>
    Math.max(
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(join(folder, name)).mtimeMs,
      ),
    )
  const page = join(BUILT, 'index.html')
  const domain = fileURLToPath(new URL('../../../src/domain/', import.meta.url))
  if (existsSync(page) && statSync(page).mtimeMs > Math.max(newest(WEB), newest(domain))) return
  // In its own process: NODE_ENV of the test run would bundle the development build of React, twice the size.
  const vite = createRequire(import.meta.url)
    .resolve('vite/package.json')
    .replace('package.json', 'bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', WEB, '--logLevel', 'error'], { env })
}

/** Test files must not build or unpack a browser at the same time. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `terce-web-${process.ppid}.lock`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      await sleep(50)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
