// The bundle of the library, and an application that bundles it once more.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleLibrary } from '../../scripts/bundle-library.ts'
import { ROOT } from './support/checkout.ts'

const run = promisify(execFile)
let folder: string
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-bundled-'))
  mkdirSync(at('node_modules/terce'), { recursive: true })
  for (const name of ['pg', 'nodemailer'])
    symlinkSync(join(ROOT, 'node_modules', name), at(`node_modules/${name}`))
  const exports = { '.': './index.js', './client': './client.js' }
  writeFileSync(
    at('node_modules/terce/package.json'),
    JSON.stringify({ name: 'terce', type: 'module', exports }),
  )
  await bundleLibrary(at('node_modules/terce'))
  const client = {
    entryPoints: [join(ROOT, 'src/client/client.ts')],
    outfile: at('node_modules/terce/client.js'),
  }
  await build({ ...client, bundle: true, format: 'esm' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('loads less than 400 kB and only its client before a Terce is created', () => {
  const seen = new Set<string>()
  const packages = new Set<string>()
  function read(file: string): void {
    if (seen.has(file)) return
    seen.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)"([^"]+)"/g)
    for (const [, name] of imports)
      if (name!.startsWith('.')) read(join(dirname(file), name!))
      else if (!name!.startsWith('node:')) packages.add(name!)
  }
  read(at('node_modules/terce/index.js'))
  expect([...packages]).toEqual(['terce/client'])
  const bytes = [...seen].reduce((sum, file) => sum + readFileSync(file).length, 0)
  expect(bytes).toBeGreaterThan(200_000)
  expect(bytes).toBeLessThan(400_000)
})

const APPLICATION = `import { createTerce } from 'terce'
import { TerceError } from 'terce/client'
const terce = createTerce({ database: process.argv[2], settings: { DELIVER_AT: '00:00' } })
async function main() {
  const done = new Promise((resolve) => terce.on('BIRTHDAY', (event) => resolve(event.message)))
  await terce.start()
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'UTC' }).format().slice(4)
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992' + today, timezone: 'UTC' }
  await terce.users.create({ ...ada, sendTodayNow: true })
  const { status } = await terce.fetch(new Request('http://localhost/healthz'))
  const rejected = await terce.users.get('nobody').catch((error) => error)
  console.log(await done, status, rejected instanceof TerceError)
  await terce.stop()
}
main()`

it.each(['esm', 'cjs'] as const)('delivers in an application that bundles it as %s', async (format) => {
  writeFileSync(at('app.mjs'), APPLICATION)
  const outfile = at(`bundled.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const external = ['pg']
  const how = { bundle: true, platform: 'node', logLevel: 'error' } as const
  await build({ ...how, entryPoints: [at('app.mjs')], format, outfile, external })
  const { stdout, stderr } = await run(process.execPath, [outfile, at(`${format}.db`)], { cwd: folder })
  expect([stdout, stderr]).toEqual(["Hey, Ada Lovelace it's your birthday 200 true\n", ''])
})
