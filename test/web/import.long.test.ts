// The import of a CSV file on the people page, on the real product.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useDashboard } from './support/use-dashboard.ts'

const dashboard = useDashboard()
let page: Page

const csv = (text: string, name = 'people.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

const FIVE_WRONG = `Vorname,Last Name,Birthday,Location,E-Mail
Ada,Lovelace,1990-12-15,America/Vancouver,
Grace,Hopper,1906-12-09,CST,
Raden,Kartini,04/21/1979,Asia/Jakarta,
,Nobody,1980-01-01,UTC,
Zoe,Zimmer,1980-01-01,Jakrta,
Mary,Shelley,1980-01-01,UTC,mary@
Jane,Austen,1975-12-16,Europe/London,
`

function people(n: number): string {
  const rows = Array.from({ length: n }, (_, index) => `P${index},Import,1990-01-01,UTC`)
  return `first,last,dob,tz\n${rows.join('\n')}\n`
}

describe('the import of a CSV file', () => {
  it('previews the rows, lets columns be chosen, lists every error, applies a suggestion, and imports the rest', async () => {
    page = await dashboard.open('people')
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import people' })
    await dialog.locator('input[type=file]').setInputFiles(csv(FIVE_WRONG))
    await dialog.getByText('Choose the column for first name.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Field of Vorname').selectOption({ label: 'First name' })
    await dialog.getByText('2 new people, 5 rows with errors are left out.').waitFor()
    await dialog.getByText('5 problems in 5 rows').waitFor()
    const problems = dialog.getByRole('table', { name: 'Problems' }).getByRole('row')
    expect(await problems.count()).toBe(6)
    await problems.filter({ hasText: /^3\s*Location.*CST.*Use\s*America\/Chicago/ }).waitFor()
    await problems.filter({ hasText: /^4\s*Birthday.*04\/21\/1979.*Use\s*1979-04-21/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download these rows' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('people.rejected.csv')
    const rejected = readFileSync((await download.path())!, 'utf8')
    expect(rejected.split('\r\n')[1]).toContain('Grace,Hopper,1906-12-09,CST')
    expect(rejected.split('\r\n')).toHaveLength(7)
    await dialog.getByRole('button', { name: 'America/Chicago' }).click()
    await dialog.getByText('3 new people, 4 rows with errors are left out.').waitFor()
    await dialog.getByRole('button', { name: 'Import 3 people' }).click()
    await dialog.getByText('3 people imported.').waitFor()
    await dialog.getByText('4 rows with errors left out.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Jane Austen' }).waitFor()
  })

  it('counts people who exist already, and changes nobody', async () => {
    page = await dashboard.open('people?import=csv')
    const dialog = page.getByRole('dialog', { name: 'Import people' })
    const table = 'first,last,dob,tz\nAda,Lovelace,1990-12-15,America/Vancouver\n'
    await dialog.locator('input[type=file]').setInputFiles(csv(table))
    await dialog.getByText('0 new people, 1 already exists and is not changed.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Import 0 people' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Remove file' }).click()
    await dialog.locator('input[type=file]').setInputFiles(csv('', 'empty.csv'))
    await dialog.getByText('empty.csv: The file is empty.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('import')
  })

  it('shows the rate and the time left, stops on request, and continues', async () => {
    page = await dashboard.open('people?import=csv')
    const dialog = page.getByRole('dialog', { name: 'Import people' })
    await dialog.locator('input[type=file]').setInputFiles(csv(people(1_700)))
    const start = dialog.getByRole('button', { name: 'Import 1,700 people' })
    await start.waitFor()
    // A slow server: parts of the least size. The second part waits until the run was stopped.
    const stopped = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/user/import\\?dryRun=false', async (route) => {
      requests += 1
      if (requests === 2) await stopped.promise
      else await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await start.click()
    await dialog.getByText(/^Importing: 500 of 1,700 rows, \d+\/s, \d+ s left$/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    stopped.resolve()
    await dialog.getByText('1,000 people imported.').waitFor()
    await dialog.getByText('Stopped after 1,000 of 1,700 rows.').waitFor()
    await page.unroute('**/user/import\\?dryRun=false')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('1,700 people imported.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })

  it('keeps the rows before an error, and continues after it', async () => {
    page = await dashboard.open('people?import=csv')
    const dialog = page.getByRole('dialog', { name: 'Import people' })
    await dialog.locator('input[type=file]').setInputFiles(csv(people(2_000).replaceAll('Import', 'Again')))
    await dialog.getByRole('button', { name: 'Import 2,000 people' }).waitFor()
    let requests = 0
    await page.route('**/user/import\\?dryRun=false', (route) => {
      requests += 1
      return requests === 2
        ? route.fulfill({
            status: 503,
            json: { code: 'NOT_READY', status: 503, detail: 'The database sleeps.' },
          })
        : route.continue()
    })
    await dialog.getByRole('button', { name: 'Import 2,000 people' }).click()
    await dialog.getByText('The database sleeps.').waitFor()
    await dialog.getByText('Failed after 500 of 2,000 rows.').waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('2,000 people imported.').waitFor()
    expect(dashboard.pageErrors().every((one) => one.includes('503'))).toBe(true)
  })

  it('begins with a file that is dropped on the page', async () => {
    page = await dashboard.open('people')
    await page.getByRole('button', { name: 'Import CSV' }).waitFor()
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['first,last,dob,tz\\nDropped,File,1990-01-01,UTC\\n'], 'dropped.csv'))
      return data
    })()`)
    await page.dispatchEvent('main', 'dragover', { dataTransfer: data })
    await page.getByText('Drop the CSV file to import people').waitFor()
    await page.dispatchEvent('main', 'drop', { dataTransfer: data })
    const dialog = page.getByRole('dialog', { name: 'Import people' })
    await dialog.getByText('dropped.csv, 1 row').waitFor()
    await dialog.getByRole('cell', { name: 'Dropped' }).waitFor()
    await dialog.getByRole('button', { name: 'Import 1 person' }).waitFor()
  })
})
