// The code of docs/webhooks.md and docs/receivers.md, as a reader would run it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../src/channels/webhook/signature.ts'
import { parseSecret } from '../../src/receiver/secret.ts'
import { useProject } from '../client/support/project.ts'
import { KEY, OTHER_SECRET, SECRET, signed } from '../receiver/support/signed.ts'
import { startSink } from '../runtimes/support/sink.ts'
import { freePort, readPage, runShell } from './support/page.ts'

const page = readPage('webhooks.md')
const receivers = readPage('receivers.md')
const [tenLines, byHand, check, testOfReceiver] = page.blocks('js')
const [inPython] = receivers.blocks('python')
const [toSlack] = receivers.blocks('js')
const project = useProject()

describe('the pages on webhooks and receivers', () => {
  it.for([
    { language: 'JavaScript', command: process.execPath, args: ['--input-type=module', '-e', tenLines!] },
    { language: 'Python', command: 'python3', args: ['-c', inPython!] },
  ])('have a receiver in $language that writes a message once', async ({ command, args }, { skip }) => {
    skip(spawnSync(command, ['--version']).error !== undefined, `${command} is not installed`)
    project.install('@hono/node-server')
    const port = await freePort()
    const child = spawn(
      command,
      args.map((code) => code.replace('4000', String(port))),
      {
        cwd: project.path,
        env: { ...process.env, WEBHOOK_SECRET: SECRET },
        stdio: ['ignore', 'inherit', 'ignore'],
      },
    )
    const exited = once(child, 'exit')
    try {
      const post = async (delivery = signed({ at: Date.now() })): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...delivery })).status
      await expect.poll(() => post().catch(() => 0), { timeout: 20_000 }).toBe(204)
      expect(await Promise.all([post(), post(), post()])).toEqual([204, 204, 204])
      expect(await post(signed({ at: Date.now(), secrets: [OTHER_SECRET, SECRET] }))).toBe(204)
      expect(await post({ ...signed({ at: Date.now() }), body: '{}' })).toBe(401)
      expect(await post({ headers: {}, body: '{}' })).toBe(401)
      expect(await post(signed({ at: Date.now() - 310_000 }))).toBe(425)
      const db = new DatabaseSync(join(project.path, 'greetings.db'))
      const rows = db.prepare('SELECT key, message FROM greeting').all()
      expect(rows.map((row) => ({ ...row }))).toEqual([{ key: KEY, message: 'Grüße 🎂' }])
      db.close()
    } finally {
      child.kill('SIGKILL')
      await exited
    }
  })

  it('have a receiver that passes a message on to Slack, and asks for a retry if Slack rejects it', async () => {
    project.install('@hono/node-server')
    let status = 200
    const slack = await startSink((response) => {
      response.statusCode = status
      response.end()
    })
    const port = await freePort()
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', toSlack!.replace('4000', String(port))],
      {
        cwd: project.path,
        env: { ...process.env, WEBHOOK_SECRET: SECRET, SLACK_WEBHOOK_URL: slack.url },
        stdio: 'ignore',
      },
    )
    const exited = once(child, 'exit')
    const post = async () =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...signed({ at: Date.now() }) })).status
    await expect.poll(() => post().catch(() => 0), { timeout: 20_000 }).toBe(204)
    expect(JSON.parse(slack.arrivals[0]!.body)).toEqual({ text: 'Grüße 🎂' })
    status = 403
    expect(await post()).toBe(500)
    child.kill('SIGKILL')
    await exited
    await slack.close()
  })

  it('have an example of a signature that Terce computes too', () => {
    const value = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(receivers.text)![1]!
    const sign = createSigner([value('secret')])
    const signature = sign(value('webhook-id'), Number(value('webhook-timestamp')), value('body'))
    expect(receivers.text).toContain(`the signature is \`${signature}\``)
  })

  it('drop repetitions by the SQL that they show', () => {
    const [create, insert] = receivers.blocks('sql')[0]!.trim().split('\n')
    const db = new DatabaseSync(':memory:')
    db.exec(create!)
    expect([1, 2].map(() => db.prepare(insert!).run().changes)).toEqual([1, 0])
  })

  it('sign by hand with the result that they show, and make a secret that can be used', async () => {
    const { stdout } = await project.run(byHand!)
    expect(stdout.trim()).toBe(/\/\/ (\S+)\n/.exec(byHand!)![1])
    const secret = await runShell(page.blocks('sh')[0]!, project.path)
    expect(parseSecret(secret.trim())).toHaveLength(32)
  })

  it('verify without a Request', async () => {
    const deliveries = [signed({ at: Date.now() }), { ...signed({ at: Date.now() }), body: '{}' }]
    const calls = `for (const { headers, body } of ${JSON.stringify(deliveries)}) console.log(await check({ headers }, body))`
    const { stdout } = await project.run(`${check}\n${calls}`, { WEBHOOK_SECRET: SECRET })
    expect(stdout).toBe(`${KEY}: Grüße 🎂\n401 BAD_SIGNATURE\n`)
  })

  it('have a test of a receiver that passes, and fails for another secret', async () => {
    const passed = await project.run(testOfReceiver!)
    expect([passed.code, passed.stderr]).toEqual([0, ''])
    expect(passed.stdout).toContain('a greeting is handled')
    const other = testOfReceiver!.replace('sign(body, secret,', `sign(body, '${OTHER_SECRET}',`)
    expect((await project.run(other)).code).toBe(1)
  })
})
