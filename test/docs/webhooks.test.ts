import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../src/channels/webhook/signature.ts'
import { parseSecret } from '../../src/receiver/secret.ts'
import { useProject } from '../client/support/project.ts'
import { KEY, OTHER_SECRET, SECRET, signed } from '../receiver/support/signed.ts'
import { freePort, readPage } from './support/page.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url)
const pages = ['webhooks.md', 'security.md'].map((name) =>
  readFileSync(new URL(`docs/${name}`, root), 'utf8'),
)
const page = pages[0]!

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1]!,
  )
}

const [tenLines, byHand, check, testOfReceiver] = blocks('js')
const receivers = readPage('receivers.md')
const [inPython] = receivers.blocks('python')
const project = useProject()
const asModule = (code: string) => ['--input-type=module', '-e', code]

describe('the page on webhooks', () => {
  it('has a receiver of ten lines', () => {
    const lines = tenLines!.split('\n').filter((line) => line !== '')
    expect(lines.length).toBeLessThanOrEqual(10)
  })

  it.for([
    { language: 'JavaScript', command: process.execPath, args: asModule(tenLines!) },
    { language: 'Python', command: 'python3', args: ['-c', inPython!] },
  ])('has a receiver in $language that writes a message once', async ({ command, args }, { skip }) => {
    skip(spawnSync(command, ['--version']).error !== undefined, `${command} is not installed`)
    const folder = mkdtempSync(join(tmpdir(), 'terce-receiver-'))
    const file = join(folder, 'greetings.db')
    const port = await freePort()
    const given = args.map((code) => code.replace('4000', String(port)).replace('greetings.db', file))
    const child = spawn(command, given, {
      cwd: root,
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'inherit', 'ignore'],
    })
    const exited = once(child, 'exit')
    try {
      const post = async (delivery = signed({ at: Date.now() })): Promise<number> => {
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...delivery })
        return answer.status
      }
      await expect.poll(() => post().catch(() => 0), { timeout: 20_000 }).toBe(204)
      expect(await Promise.all([post(), post(), post()])).toEqual([204, 204, 204])
      expect(await post(signed({ at: Date.now(), secrets: [OTHER_SECRET, SECRET] }))).toBe(204)
      expect(await post({ ...signed({ at: Date.now() }), body: '{}' })).toBe(401)
      expect(await post({ headers: {}, body: '{}' })).toBe(401)
      expect(await post(signed({ at: Date.now() - 310_000 }))).toBe(425)
      const rows = new DatabaseSync(file).prepare('SELECT key, message FROM greeting').all()
      expect(rows.map((row) => ({ ...row }))).toEqual([{ key: KEY, message: 'Grüße 🎂' }])
    } finally {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    }
  })

  it('has an example of a signature that Terce computes too', () => {
    const value = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(receivers.text)![1]!
    const sign = createSigner([value('secret')])
    const signature = sign(value('webhook-id'), Number(value('webhook-timestamp')), value('body'))
    expect(receivers.text).toContain(`the signature is \`${signature}\``)
  })

  it('drops repetitions by the statements that it shows', () => {
    const [create, insert] = receivers.blocks('sql')[0]!.trim().split('\n')
    const db = new DatabaseSync(':memory:')
    db.exec(create!)
    expect([1, 2].map(() => db.prepare(insert!).run().changes)).toEqual([1, 0])
  })

  it('signs by hand and prints what it says', async () => {
    const { stdout } = await run(process.execPath, asModule(byHand!))
    expect(stdout.trim()).toBe(/\/\/ (\S+)\n/.exec(byHand!)![1])
  })

  it('makes a secret that can be used', async () => {
    const [make] = blocks('sh')
    const { stdout } = await run('bash', ['-c', make!.replace(/^node/, `"${process.execPath}"`)])
    expect(parseSecret(stdout.trim())).toHaveLength(32)
  })

  it('verifies without a Request', async () => {
    const deliveries = [signed({ at: Date.now() }), { ...signed({ at: Date.now() }), body: '{}' }]
    const calls = `for (const { headers, body } of ${JSON.stringify(deliveries)}) console.log(await check({ headers }, body))`
    const env = { ...process.env, WEBHOOK_SECRET: SECRET }
    const { stdout } = await run(process.execPath, asModule(`${check}\n${calls}`), { cwd: root, env })
    expect(stdout).toBe(`${KEY}: Grüße 🎂\n401 BAD_SIGNATURE\n`)
  })

  it('has a test of a receiver that passes, and fails for another secret', async () => {
    const passed = await project.run(testOfReceiver!)
    expect([passed.code, passed.stderr]).toEqual([0, ''])
    expect(passed.stdout).toContain('a greeting is handled')
    const other = testOfReceiver!.replace('sign(body, secret,', `sign(body, '${OTHER_SECRET}',`)
    expect((await project.run(other)).code).toBe(1)
  })

  it('has no snippet that is not run, and shows a body that is JSON', () => {
    expect([blocks('js').length, blocks('sh').length, blocks('json').length]).toEqual([4, 1, 1])
    expect(JSON.parse(blocks('json')[0]!)).toHaveProperty('message')
    expect(page.match(/^```/gm)).toHaveLength(12)
  })

  it('links, like the page on security, only to what exists', () => {
    for (const text of pages) {
      const links = [...text.matchAll(/\]\((?!http)([^)#]+)/g)].map((match) => match[1]!)
      expect(links.length).toBeGreaterThan(0)
      expect(links.filter((link) => !existsSync(new URL(link, new URL('docs/', root))))).toEqual([])
    }
  })
})
