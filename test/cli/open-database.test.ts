// A command that needs PostgreSQL while it is down.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { COMMAND } from './support/run-command.ts'

it.each([[['keys', 'list']], [['migrate']], [['tail']]])(
  'terce %j prints each attempt to reach PostgreSQL, of how many, and when the next one is',
  async (args) => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [COMMAND, ...args], {
      env: { PATH, DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/terce' },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
    })
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    const where = 'Waiting for postgres://127.0.0.1:9/terce'
    expect((await lines.next()).value).toBe(`${where}: attempt 1 of 5 failed, next in 1 s.`)
    expect((await lines.next()).value).toBe(`${where}: attempt 2 of 5 failed, next in 2 s.`)
  },
)
