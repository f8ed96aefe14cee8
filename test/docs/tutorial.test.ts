// docs/tutorial.md from top to bottom, as its reader would: in a project of their own, with Terce and the receiver as processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useProject } from '../client/support/project.ts'
import { bashArgs, freePort, readPage, runShell } from './support/page.ts'

const page = readPage('tutorial.md')
const project = useProject()

it('leads from a file of a CRM to a service with a key', { timeout: 120_000 }, async () => {
  const [port, receiverPort] = [await freePort(), await freePort()]
  const adapt = (text: string) =>
    text.replaceAll('localhost:3000', `127.0.0.1:${port}`).replaceAll('4000', String(receiverPort))
  const bash = (script: string) => bashArgs(adapt(script))
  const { PATH = '' } = process.env
  const env = { PATH, PORT: String(port) }
  const shell = (script: string) => runShell(adapt(script), project.path, { PORT: String(port) })

  const started: (() => Promise<unknown>)[] = []
  /** Starts a process, and resolves when it has printed the text. */
  const start = (script: string) => {
    const child = spawn('bash', bash(script), { cwd: project.path, env, detached: true })
    const exited = once(child, 'exit')
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
      await exited
    }
    started.push(stop)
    const until = (text: string | RegExp) => expect.poll(() => printed, { timeout: 30_000 }).toMatch(text)
    return { stop, until }
  }

  try {
    writeFileSync(join(project.path, 'crm.json'), page.blocks('json')[0]!)
    const [sync, receiver] = page.blocks('js')
    writeFileSync(join(project.path, 'sync.js'), adapt(sync!))
    writeFileSync(join(project.path, 'receiver.js'), adapt(receiver!))
    const commands = page.blocks('sh')
    const [install, twice, preview, template, wrong, secret, withUrl, receive, test, key, doctor] = commands
    expect(commands).toHaveLength(11)

    const first = start(install!.trim().split('\n').at(-1)!)
    await first.until('listens on')
    expect(await shell(twice!)).toBe(page.blocks('text')[0])
    expect(await shell(preview!)).toMatch(/Ada Lovelace .*\n.*Raden Kartini|Raden Kartini .*\n.*Ada Lovelace/)
    await shell(template!)
    expect(await shell(wrong!)).toContain('Unknown variable \\"firstNam\\"')
    await shell(secret!)
    await first.stop()

    const second = start(withUrl!)
    await second.until('listens on')
    const receiving = start(receive!)
    await expect.poll(() => fetch(`http://127.0.0.1:${receiverPort}`).then(() => 'up', String)).toBe('up')
    await shell(test!)
    await receiving.until('Hello, Ada! This is a test message.')
    await receiving.stop()
    const sent = shell(test!)
    await second.until('the event is released and uses no retry')
    await start(receive!).until('Hello, Ada! This is a test message.')
    await sent

    expect(await shell(key!)).toBe('crm-1 version 1\ncrm-2 version 1\n')
    await shell(doctor!)
  } finally {
    await Promise.all(started.map((stop) => stop()))
  }
})
