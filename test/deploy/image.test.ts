// The image: its Dockerfile replayed without Docker, and started as docs/deploy-node.md starts it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readRoot, VERSION } from './support/deploy-files.ts'
import { parseDockerfile } from './support/dockerfile.ts'
import { environmentOf, type Image, imageBuilder, parseDockerignore } from './support/image.ts'

const KEY = 'a-key-of-twenty-and-more'
/** Under load the build takes minutes. */
const BUILD_TIMEOUT_MS = 600_000
const dockerfile = readRoot('deploy/node/Dockerfile')
const dockerignore = readRoot('deploy/node/Dockerfile.dockerignore')
const folder = mkdtempSync(join(tmpdir(), 'terce-image-'))
// The user of the image must reach its files.
chmodSync(folder, 0o755)
const builder = imageBuilder(fileURLToPath(new URL('../../', import.meta.url)), dockerignore, folder)

type Container = { url: string; image: Image; process: ChildProcess; env: object; output(): string }
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
// A process of its own: the images have 50,000 files.
afterAll(() => promisify(execFile)('rm', ['-rf', folder]), BUILD_TIMEOUT_MS)

/** The flags of `docker run` in docs/deploy-node.md: [name, value or null], and the image. */
const documented = (() => {
  const [, command] = /^docker run (.+)$/m.exec(readRoot('docs/deploy-node.md').replaceAll(/ \\\n\s+/g, ' '))!
  const words = command!.split(/ (?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const flags: [string, string | null][] = []
  const alone = ['--rm', '--read-only']
  while (words.length > 1) {
    const name = words.shift()!
    flags.push([name, alone.includes(name) ? null : words.shift()!])
  }
  return { flags, image: words[0]! }
})()

/** Starts the command of an image as its user, and waits until it is ready. An exit before that is an error. */
async function start(image: Image): Promise<Container> {
  const port = await freePort()
  const given = documented.flags.filter(([name]) => name === '-e').map(([, pair]) => pair!.split('=')[0]!)
  const values: Record<string, string> = { TERCE_API_KEYS: `first:admin:${KEY}` }
  const settings = Object.fromEntries(given.map((name) => [name, values[name]!]))
  const env = { ...environmentOf(image), PORT: String(port), ...settings }
  const [program, ...args] = [...image.entrypoint, ...image.command]
  const [uid, gid] = image.user!.split(':').map(Number)
  const user = process.getuid!() === 0 ? { uid: uid!, gid: gid! } : {}
  const child = spawn(program!, args, { cwd: join(image.root, image.workdir), env, ...user })
  started.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const container = {
    url: `http://127.0.0.1:${port}`,
    image,
    process: child,
    env,
    output: () => printed,
  }
  while (!(await isReady(container.url))) {
    if (child.exitCode !== null) throw new Error(`The image exited with ${child.exitCode}:\n${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return container
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** What a person does first: open the dashboard and create somebody. */
async function useOnce({ url }: Container): Promise<void> {
  const page = await fetch(`${url}/app/`)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('<div id="root">')])
  const assets = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
  expect(assets.length).toBeGreaterThan(1)
  for (const path of assets) expect((await fetch(new URL(path, `${url}/app/`))).status, path).toBe(200)
  const created = await fetch(`${url}/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth: '1990-12-10',
      timezone: 'Europe/London',
    }),
  })
  expect(created.status, await created.text()).toBe(201)
}

async function stop({ process: child, image }: Container): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill(image.stopSignal as NodeJS.Signals)
  const [code] = await exited
  return code
}

/** Every file outside /data and /tmp with its size and the time of its last change. */
function filesOf({ root }: Image): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/^\/(data|tmp)(\/|$)/.test(path.slice(root.length)))
    .map((path) => {
      const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return `${path} ${size} ${mtimeMs}`
    })
    .sort()
}

describe('the image, built from the lines of its Dockerfile', () => {
  it(
    'starts as an unprivileged user, serves the dashboard, creates a person, and stops with 0',
    async () => {
      const image = await builder.build(dockerfile)
      expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
      const before = filesOf(image)
      const container = await start(image)
      await useOnce(container)
      await expect(checkHealth(container)).resolves.toBe(0)
      expect(await stop(container), container.output()).toBe(0)
      await expect(checkHealth(container)).resolves.toBe(1)
      // It runs with a read-only root: the volume has the database, and nothing else changed.
      expect(filesOf(image)).toEqual(before)
      expect(image.volumes).toEqual(['/data'])
      expect(readdirSync(join(image.root, 'data'))).toContain('terce.db')
    },
    BUILD_TIMEOUT_MS,
  )

  it('keeps its data when a new container is started with the same volume', async () => {
    const container = await start(await builder.build(dockerfile))
    const response = await fetch(`${container.url}/user`, { headers: { authorization: `Bearer ${KEY}` } })
    expect(await response.json()).toMatchObject({ items: [{ firstName: 'Ada' }] })
    expect(await stop(container)).toBe(0)
  })

  it('runs as the user that USER names, who may not write to the image', async ({ skip }) => {
    skip(process.getuid!() !== 0, 'only root can start a process as another user')
    const { process: child, image } = await start(await builder.build(dockerfile))
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const [uid] = image.user!.split(':')
    expect(/^Uid:\s+(\d+)/m.exec(status)![1]).toBe(uid)
    expect(statSync(join(image.root, image.workdir, 'bin/terce.js'))).toMatchObject({ uid: 0 })
  })

  const lines = parseDockerfile(dockerfile)
    .at(-1)!
    .steps.filter((step) => step.kind === 'copy')
  it.each(lines)('does not work without the line $text', async ({ text }) => {
    const [body, last] = splitLastStage(dockerfile)
    const planted = `${body}${last.replace(`${text}\n`, '')}`
    expect(planted).not.toBe(dockerfile)
    await expect(builder.build(planted).then(start).then(useOnce)).rejects.toThrow()
  })

  it('is not built without the lock file, or from a stage that lacks what is copied', async () => {
    const withoutLock = dockerfile.replaceAll('COPY package.json package-lock.json .npmrc ./\n', '')
    await expect(builder.build(withoutLock)).rejects.toThrow(
      /^RUN npm ci --ignore-scripts\n[\s\S]*package-lock\.json/,
    )
    const otherStage = dockerfile.replace('--from=build /terce/dist', '--from=dependencies /terce/dist')
    await expect(builder.build(otherStage)).rejects.toThrow('/terce/dist is not in the stage')
    const misspelt = dockerfile.replace('COPY migrations', 'COPY migratoins')
    await expect(builder.build(misspelt)).rejects.toThrow('migratoins is not in the build context')
  })
})

function splitLastStage(text: string): [string, string] {
  const at = text.lastIndexOf('\nFROM ')
  return [text.slice(0, at), text.slice(at)]
}

/** The exit code of the image's HEALTHCHECK. */
async function checkHealth({ image, env }: Container): Promise<number> {
  const [program, ...args] = image.healthcheck!
  return promisify(execFile)(program!, args, { env: { ...env } }).then(
    () => 0,
    (error) => error.code,
  )
}

describe('docker run in docs/deploy-node.md', () => {
  it('runs the image of this version with a read-only root, its volume and its port, on this machine alone', () => {
    const [image] = parseDockerfile(dockerfile).slice(-1)
    expect(documented.image).toBe(`terce:${VERSION}`)
    expect(documented.flags).toEqual([
      ['--rm', null],
      ['--read-only', null],
      ['--tmpfs', '/tmp'],
      ['-v', `terce:${image!.volumes[0]}`],
      ['-p', `127.0.0.1:3000:${image!.ports[0]}`],
      ['-e', 'TERCE_API_KEYS="first:admin:$(openssl rand -hex 24)"'],
    ])
  })
})

describe('the build context', () => {
  it('has no secret, no data, no installed package and no earlier build', () => {
    const ignores = parseDockerignore(dockerignore)
    const kept = ['package.json', 'src/cli/terce.ts', 'web/index.html', 'src/database/data.ts']
    const left = [
      'node_modules/pg/package.json',
      'web/node_modules/a.js',
      'dist/cli/terce.js',
      'data/terce.db',
    ]
    const secret = ['.env', 'deploy/node/.env.local', 'deploy/cloudflare/.dev.vars', '.git/config']
    expect(kept.filter(ignores)).toEqual([])
    expect([...left, ...secret].filter((path) => !ignores(path))).toEqual([])
  })
})
