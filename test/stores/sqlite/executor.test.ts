// The executor that runs statements in threads, under conditions of a whole process.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { threadedExecutor } from '../../../src/stores/sqlite/executor.ts'

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

  it.each([1, 8])(
    'lets the event loop turn while each of %d callers calls again at each reply',
    async (number) => {
      const executor = await threadedExecutor(join(folder, 'terce.db'), systemClock, () => {})
      const repliesOfTurns = [0]
      const countTurns = () => {
        repliesOfTurns.unshift(0)
        next = setImmediate(countTurns)
      }
      let next = setImmediate(countTurns)
      const callers = Array.from({ length: number }, async () => {
        for (let i = 0; i < 100; i++) {
          const reply = executor.read({ sql: 'SELECT 7', params: [] })
          // Longer than the thread takes: replies arrive meanwhile, as during a long export.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
          await reply
          repliesOfTurns[0]! += 1
        }
      })
      await Promise.all(callers)
      clearImmediate(next)
      await executor.close()
      // Two turns can be counted as one: the order of what runs at the end of a turn is not fixed.
      expect(Math.max(...repliesOfTurns)).toBeLessThan(2 * 8 + 2)
    },
  )
})
