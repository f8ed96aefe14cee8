// The executor that runs statements in threads, under conditions of a whole process.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const EXECUTOR = new URL('../../../src/stores/sqlite/executor.ts', import.meta.url)
const CLOCK = new URL('../../../src/runtimes/shared/system-clock.ts', import.meta.url)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-executor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an executor in threads', () => {
  it('opens its database under node --watch, where Node posts messages of its own from each thread', async () => {
    const script = `
      import { threadedExecutor } from '${EXECUTOR}'
      import { systemClock } from '${CLOCK}'
      const executor = await threadedExecutor(process.argv[1], systemClock, (error) => { throw error })
      console.log(JSON.stringify(await executor.read({ sql: 'SELECT 7', params: [] })))
      await executor.close()`
    const args = ['--input-type=module', '-e', script, join(folder, 'terce.db')]
    // Node sets this variable in the process that it watches.
    const env = { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    expect(JSON.parse(stdout)).toEqual([[7]])
  })
})
