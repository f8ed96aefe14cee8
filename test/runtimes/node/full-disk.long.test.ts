// A SQLite file that cannot grow: a limit on the size of files stands for the full disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const COMMAND = new URL('../../../bin/terce.js', import.meta.url).pathname

it('terce on a full disk is not ready, responds with 503 and keeps running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-full-'))
  // In blocks of 1,024 bytes: the schema fits into 2 MB, many people do not.
  const limited = `ulimit -f 2048 && exec "${process.execPath}" "${COMMAND}"`
  const { PATH } = process.env
  const terce = spawn('bash', ['-c', limited], {
    env: { PATH, PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`, NODE_COMPILE_CACHE: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(terce, 'exit')
  try {
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [terce.stdout, terce.stderr])
        stream.on('data', (data) => {
          output += data
          const listening = /listens on (\S+)/.exec(output)?.[1]
          if (listening !== undefined) resolve(listening)
        })
      exited.then(() => reject(new Error(output)))
    })
    const get = async (path: string) => (await fetch(url + path)).status
    expect(await get('/readyz')).toBe(200)
    const person = { firstName: 'Ada', lastName: 'x'.repeat(100), dateOfBirth: '1990-12-15', timezone: 'UTC' }
    let response: Response
    do {
      response = await fetch(`${url}/user/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ users: Array(200).fill(person) }),
      })
    } while (response.ok)
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    await expect.poll(() => get('/readyz'), { timeout: 60_000 }).toBe(503)
    expect(await get('/healthz')).toBe(200)
    expect(await get('/user')).toBe(200)
    expect(terce.exitCode).toBeNull()
  } finally {
    terce.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true })
  }
})
