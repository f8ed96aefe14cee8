// The image: built by Docker from the Dockerfile, and run as docs/deploy-node.md runs it.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const hasEngine = spawnSync('docker', ['version']).status === 0
const KEY = 'a-key-of-thirty-two-characters-or-more'
/** Of the image, the container and the volume. */
const NAME = `terce-test-${process.pid}`
const cwd = fileURLToPath(new URL('../../', import.meta.url))

async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd, maxBuffer: 1e8 })
  return stdout.trim()
}

afterAll(() => {
  if (!hasEngine) return
  for (const args of [
    ['rm', '--force'],
    ['volume', 'rm'],
    ['image', 'rm'],
  ])
    spawnSync('docker', [...args, NAME])
}, 60_000)

/** Resolves to the URL of a new container with the volume, once it is ready. */
async function start(): Promise<string> {
  const rights = ['--read-only', '--tmpfs', '/tmp', '--volume', `${NAME}:/data`]
  const settings = ['--publish', '127.0.0.1::3000', '--env', `TERCE_API_KEYS=first:admin:${KEY}`]
  await docker('run', '--detach', '--name', NAME, ...rights, ...settings, NAME)
  const url = `http://${await docker('port', NAME, '3000')}`
  await expect
    .poll(() => fetch(`${url}/readyz`).then(({ status }) => status, String), { timeout: 60_000 })
    .toBe(200)
  return url
}

/** Stops and removes the container, and resolves to the exit code of its process. */
async function stop(): Promise<string> {
  await docker('stop', '-t', '20', NAME)
  const code = await docker('inspect', '--format', '{{.State.ExitCode}}', NAME)
  await docker('rm', NAME)
  return code
}

it('the image runs without root, serves the dashboard, stops with 0, and has its data in the volume', async ({
  skip,
}) => {
  skip(!hasEngine, 'NOT CHECKED, because no Docker engine runs here')
  await docker('build', '--file', 'deploy/node/Dockerfile', '--tag', NAME, '.')
  const url = await start()
  expect(await docker('exec', NAME, 'id', '-u')).toBe('1000')
  const page = await (await fetch(`${url}/app/`)).text()
  const assets = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
  expect(assets.length).toBeGreaterThan(1)
  for (const path of assets) expect((await fetch(new URL(path, `${url}/app/`))).status, path).toBe(200)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` }
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', timezone: 'Europe/London' }
  const created = await fetch(`${url}/user`, { method: 'POST', headers, body: JSON.stringify(ada) })
  expect(created.status, await created.text()).toBe(201)
  const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', NAME)
  await expect.poll(health, { timeout: 60_000 }).toBe('healthy')
  expect(await stop()).toBe('0')
  const people = await fetch(`${await start()}/user`, { headers })
  expect(await people.json()).toMatchObject({ items: [{ firstName: 'Ada' }] })
  expect(await stop()).toBe('0')
}, 900_000)
