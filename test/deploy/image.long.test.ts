// The image: its Dockerfile replayed without Docker, and started as docs/deploy-node.md starts it.
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startPostgres } from '../support/postgres-server.ts'
import {
  type Container,
  checkHealth,
  freePort,
  startContainer,
  stopContainer,
  untilOk,
} from './support/container.ts'
import { GIVEN, readRoot, VERSION } from './support/deploy-files.ts'
import { parseDockerfile } from './support/dockerfile.ts'
import { type Image, imageBuilder, parseDockerignore } from './support/image.ts'

// biome-ignore lint/suspicious/noExplicitAny: the resources have as many shapes as Kubernetes has kinds.
type Json = any

const KEY = 'a-key-of-twenty-and-more'
/** Under load the build takes minutes. */
const BUILD_TIMEOUT_MS = 600_000
const dockerfile = readRoot('deploy/node/Dockerfile')
const dockerignore = readRoot('deploy/node/Dockerfile.dockerignore')
const folder = mkdtempSync(join(tmpdir(), 'terce-image-'))
// The user of the image must reach its files.
chmodSync(folder, 0o755)
const builder = imageBuilder(fileURLToPath(new URL('../../', import.meta.url)), dockerignore, folder)

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

type Started = Container & { url: string }

/** Starts an image as the page does, and waits until it is ready. */
async function start(image: Image): Promise<Started> {
  const given = documented.flags.filter(([name]) => name === '-e').map(([, pair]) => pair!.split('=')[0]!)
  const values: Record<string, string> = { TERCE_API_KEYS: `first:admin:${KEY}` }
  const settings = Object.fromEntries(given.map((name) => [name, values[name]!]))
  const PORT = await freePort()
  const container = run(image, image.command, { PORT, ...settings })
  const url = `http://127.0.0.1:${PORT}`
  await untilOk(container, `${url}/readyz`)
  return { ...container, url }
}

function run(...args: Parameters<typeof startContainer>): Container {
  const container = startContainer(...args)
  started.push(container.process)
  return container
}

/** What a person does first: open the dashboard and create somebody. */
async function useOnce({ url }: Started): Promise<void> {
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
      expect(await stopContainer(container), container.output()).toBe(0)
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
    expect(await stopContainer(container)).toBe(0)
  })

  it('runs as the user that USER names, who may not write to the image', async ({ skip }) => {
    skip(process.getuid!() !== 0, 'only root can start a process as another user')
    const { process: child, image } = await start(await builder.build(dockerfile))
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const [uid] = image.user!.split(':')
    expect(/^Uid:\s+(\d+)/m.exec(status)![1]).toBe(uid)
    expect(statSync(join(image.root, image.workdir, 'bin/terce.js'))).toMatchObject({ uid: 0 })
  })

  it('runs the containers of kubernetes/postgres.yaml, whose probes succeed', async () => {
    const image = await builder.build(dockerfile)
    const postgres = await startPostgres({ fast: true })
    try {
      const given: Record<string, string> = { ...GIVEN, DATABASE_URL: await postgres.createDatabase() }
      const manifest = parseAllDocuments(readRoot('deploy/node/kubernetes/postgres.yaml'))
      const resources: Json[] = manifest.map((document) => document.toJS())
      for (const { spec } of resources.filter(({ kind }) => kind === 'Deployment')) {
        const { initContainers, containers } = spec.template.spec
        const migrate = run(image, initContainers[0].args, settingsOf(initContainers[0], given))
        expect(await once(migrate.process, 'exit'), migrate.output()).toEqual([0, null])
        const [{ args, ports, livenessProbe, readinessProbe = livenessProbe, ...container }] = containers
        const port = await freePort()
        const portSetting = ports[0].name === 'http' ? 'PORT' : 'METRICS_PORT'
        const started = run(image, args, { ...settingsOf(container, given), [portSetting]: port })
        for (const { httpGet } of [livenessProbe, readinessProbe])
          await untilOk(started, `http://127.0.0.1:${port}${httpGet.path}`)
        expect(await stopContainer(started), started.output()).toBe(0)
      }
    } finally {
      await postgres.stop()
    }
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

/** The environment of a container, with values for its secrets. */
function settingsOf({ env = [] }: Json, secrets: Record<string, string>): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value }: Json) => [name, value ?? secrets[name]]))
}

function splitLastStage(text: string): [string, string] {
  const at = text.lastIndexOf('\nFROM ')
  return [text.slice(0, at), text.slice(at)]
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
