// The deployment to Cloudflare: the bundle and its wrangler configuration.

import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { HYPERDRIVE_WORKER } from '../../../scripts/build-cloudflare.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { DEPLOYMENT, WRANGLER_FILE } from '../../support/workerd/deployment.ts'
import { bundled } from '../../support/workerd/terce.ts'

describe('the bundle of the Worker', () => {
  it('imports only the Node modules that workerd provides', async () => {
    const { metafile } = await bundled()
    const [output] = Object.values(metafile.outputs)
    const reached = new Set(output!.imports.map(({ path }) => path))
    expect([...reached].sort()).toEqual(['cloudflare:workers', 'node:crypto', 'node:fs'])
  })

  it('contains no driver, server or client for Node', async () => {
    const { metafile } = await bundled()
    const packages = new Set(
      Object.keys(metafile.inputs).flatMap(
        (name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
      ),
    )
    for (const name of ['pg', 'undici', 'nodemailer', 'pino', 'prom-client', '@hono/node-server'])
      expect(packages).not.toContain(name)
    expect(packages).toContain('hono')
  })

  it('is small enough for every plan', async () => {
    const { text } = await bundled()
    expect(gzipSync(text).length).toBeLessThan(1_000_000)
  })
})

describe('the bundle of the Worker on Hyperdrive', () => {
  it('imports only modules that workerd provides, and is small enough for every plan', async () => {
    const { text, metafile } = await bundled(HYPERDRIVE_WORKER)
    const [output] = Object.values(metafile.outputs)
    const reached = new Set(output!.imports.map(({ path }) => path))
    // Required by `pg` inside of a try, for its native bindings, which are not used.
    reached.delete('pg-native')
    expect([...reached].filter((path) => !path.startsWith('node:')).sort()).toEqual([
      'cloudflare:sockets',
      'cloudflare:workers',
    ])
    expect(gzipSync(text).length).toBeLessThan(1_000_000)
  })

  it('contains no driver of D1, and no migrations', async () => {
    const { metafile } = await bundled(HYPERDRIVE_WORKER)
    const [output] = Object.values(metafile.outputs)
    const kept = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    const files = kept.map(([name]) => name)
    expect(files).toContain('src/stores/postgres/store.ts')
    expect(files.filter((name) => /stores\/d1|migrations\/migrate/.test(name))).toEqual([])
  })
})

describe('npm run check:cloudflare', () => {
  it('profiles the start of the bundle that is deployed, without an account', async () => {
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const { stdout } = await promisify(execFile)('npm', ['run', 'check:cloudflare'], { cwd })
    expect(stdout).toContain('Startup phase analysed')
    expect(stdout).toContain('build/cloudflare/startup.cpuprofile')
  })
})

describe('wrangler.hyperdrive.jsonc', () => {
  it('passes wrangler deploy --dry-run', async () => {
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const config = 'deploy/cloudflare/wrangler.hyperdrive.jsonc'
    const args = ['wrangler', 'deploy', '--dry-run', '--config', config]
    const { stdout } = await promisify(execFile)('npx', args, { cwd })
    expect(stdout).toContain('env.HYPERDRIVE')
  })
})

describe('wrangler.jsonc', () => {
  it('rebuilds after a change in src', () => {
    const { build } = unstable_readConfig({ config: fileURLToPath(WRANGLER_FILE) })
    expect(resolve(String(build.watch_dir))).toBe(fileURLToPath(new URL('../../../src', import.meta.url)))
  })

  it('is readable by wrangler and has every binding of the Worker', () => {
    expect(unstable_readConfig({ config: fileURLToPath(WRANGLER_FILE) })).toMatchObject({
      d1_databases: [{ binding: 'DB' }],
      queues: { producers: [{ binding: 'DUE' }] },
      triggers: { crons: ['* * * * *'] },
      no_bundle: true,
    })
  })

  it('dead-letters no message while the database is down for as long as a lease', () => {
    const { max_retries: retries } = DEPLOYMENT.queues.consumers[0]!
    // The retry delays: ten seconds, a minute, then half a lease each time.
    expect(10_000 + 60_000 + ((retries - 2) * QUEUE_LEASE_MS) / 2).toBeGreaterThan(QUEUE_LEASE_MS)
  })

  it('stays within the limits of Cloudflare', () => {
    for (const consumer of DEPLOYMENT.queues.consumers) {
      expect(consumer.max_batch_size).toBeLessThanOrEqual(100)
      expect(consumer.max_retries).toBeLessThanOrEqual(100)
    }
  })
})
