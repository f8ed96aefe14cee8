// An SDK that Node loads before Terce receives the spans of a whole delivery.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTerce } from '../../stores/postgres/support/processes.ts'
import { seedDuePeople } from '../support/due-people.ts'

it('a process sends spans with ids and without names to a registered SDK', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-traces-'))
  const file = join(folder, 'terce.db')
  const [due] = await seedDuePeople(file, [{ firstName: 'Ada', lastName: 'Lovelace' }])
  const sdk = new URL('../support/print-spans.ts', import.meta.url).href
  const env = { DATABASE_URL: `sqlite:${file}`, NODE_OPTIONS: `--import ${sdk}` }
  const terce = await startTerce('all', env)
  try {
    while (!/span terce\.settle/.test(terce.output())) await new Promise((resolve) => setTimeout(resolve, 20))
    const spans = terce
      .output()
      .split('\n')
      .filter((line) => line.startsWith('span '))
    expect(spans).toContainEqual(expect.stringMatching(/^span terce\.claim .*"terce\.count":1/))
    const delivery = spans.find((line) => line.startsWith('span terce.deliver'))!
    expect(JSON.parse(delivery.slice('span terce.deliver '.length))).toMatchObject({
      'terce.event.id': due!.eventId,
      'terce.attempt': 1,
      'terce.outcome': 'delivered',
      'terce.status_code': 204,
    })
    expect(terce.output()).not.toMatch(/Ada|Lovelace|1988-/)
  } finally {
    await terce.end('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})
