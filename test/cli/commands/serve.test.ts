// The banner of a process that starts: which channels do not send, and how to resume them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { startTerce } from '../../runtimes/support/terce-process.ts'
import { until } from '../../support/until.ts'

it('The banner names each paused and disabled channel, with the reason and the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-banner-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'terce.db')
  const store = openSqliteStore(path)
  const crm = makeChannel({ name: 'crm', status: 'PAUSED', statusReason: 'HTTP 401' })
  const old = makeChannel({ name: 'old', status: 'DISABLED', statusReason: 'HTTP 410' })
  for (const channel of [crm, old, makeChannel({ name: 'up' })]) await store.saveChannel(channel)
  await store.close()
  const terce = await startTerce({
    DATABASE_URL: `sqlite:${path}`,
    LOG_LEVEL: 'silent',
    TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  onTestFinished(async () => void (await terce.kill('SIGTERM')))
  await until('printed', terce.output, (text) => text.includes('access'))
  const lines = terce.output().split('\n')
  const fix = (id: string) => `Fix its secret or the receiver, then POST /channel/${id}/resume.`
  expect(lines.filter((line) => line.includes('channel '))).toEqual([
    `  paused     channel crm (HTTP 401): its messages wait. ${fix(crm.id)}`,
    `  disabled   channel old (HTTP 410): its messages fail. ${fix(old.id)}`,
  ])
})
