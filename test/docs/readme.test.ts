// The walk of the README, run as its reader would.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTerce, type TerceProcess } from '../runtimes/support/terce-process.ts'
import { until } from '../support/until.ts'
import { blocksOf, runShell } from './support/page.ts'

const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')

/** Starts as the walk does, with nine o'clock only seconds away, and creates the person before it comes. */
async function startWalk(folder: string, create: string): Promise<TerceProcess> {
  for (let leadMs = 4_000; ; leadMs *= 2) {
    const dueAt = Math.ceil((Date.now() + leadMs) / 1000) * 1000
    const terce = await startTerce({
      DATABASE_URL: `sqlite:${join(folder, `walk-${leadMs}.db`)}`,
      DELIVER_AT: new Date(dueAt).toISOString().slice(11, 19),
    })
    const created = await runShell(create.replaceAll('localhost:3000', terce.url), folder).catch(
      async (error) => {
        await terce.kill('SIGKILL')
        throw error
      },
    )
    if (Date.parse(JSON.parse(created).nextBirthdayEvent.targetTimestampUTC) === dueAt) return terce
    await terce.kill('SIGKILL')
  }
}

describe('the README', () => {
  it('has a walk whose every line works', async () => {
    const [, start, create, reject, lookAtEvent, heal] = blocksOf(readme, 'sh')
    expect(start).toMatch(/^DELIVER_AT=.+ npm start\n$/)
    const folder = mkdtempSync(join(tmpdir(), 'terce-walk-'))
    const terce = await startWalk(folder, create!)
    const shell = (commands: string) => runShell(commands.replaceAll('localhost:3000', terce.url), folder)
    try {
      await shell(reject!)
      // Until the minute comes there is no event to look at.
      const look = () => shell(lookAtEvent!).catch(() => '')
      const released = /"status":"PROCESSING".*"outcome":"RELEASED"/
      await until('the event is released', look, (seen) => released.test(seen))
      const [accept, sleep, inbox, events] = heal!.trim().split('\n')
      expect(sleep).toBe('sleep 5')
      await shell(accept!)
      const message = "Hey, Ada Lovelace it's your birthday"
      const messages = () => shell(inbox!)
      await until('the message arrives', messages, (seen) => seen.includes(message))
      expect(JSON.parse(await messages()).items).toHaveLength(1)
      const completed = /COMPLETED.*PENDING/
      await until(
        'the successor is planned',
        () => shell(events!),
        (seen) => completed.test(seen),
      )
    } finally {
      await terce.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  })
})
