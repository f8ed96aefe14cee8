// The configuration of the Worker: its cron trigger and queues, no secret in it, and no way to origins that are not public.
import { describe, expect, it } from 'vitest'
import { readRoot } from './support/deploy-files.ts'
import { readWrangler } from './support/wrangler.ts'

const wrangler = readWrangler()

describe('the configuration of the Worker', () => {
  it('contains no secret: they are set with wrangler secret put', () => {
    for (const name of Object.keys(wrangler.vars)) expect(name).not.toMatch(/SECRET|KEY|PASSWORD|TOKEN/)
    expect(readRoot('docs/deploy-cloudflare.md')).toContain('wrangler secret put TERCE_SECRET_KEY')
  })

  it('sends webhooks to public addresses alone', () => {
    expect(wrangler.compatibility_flags).toContain('global_fetch_strictly_public')
  })

  it('runs the scheduler every minute, and hands a hundred messages at once to a consumer', () => {
    expect(wrangler.triggers.crons).toEqual(['* * * * *'])
    const [due, dead] = wrangler.queues.consumers
    expect(due).toMatchObject({ max_batch_size: 100, max_batch_timeout: 1, dead_letter_queue: dead!.queue })
    // As often as platform and code assume: six receives outlast a lease (src/engine/queue/consumer.ts).
    expect([due!.max_retries, dead!.max_retries]).toEqual([5, 100])
  })

  it('uploads the bundle that the tests run', () => {
    expect([wrangler.no_bundle, wrangler.main]).toEqual([true, '../../build/cloudflare/worker.js'])
  })

  it('differs on Hyperdrive in the bundle and the database alone', () => {
    const { main, build, hyperdrive, ...others } = readWrangler('wrangler.hyperdrive.jsonc')
    expect(main).toBe('../../build/cloudflare/hyperdrive.js')
    expect(build).toEqual({ ...wrangler.build, command: `${wrangler.build.command} -- --hyperdrive` })
    expect(hyperdrive).toMatchObject([{ binding: 'HYPERDRIVE' }])
    const { main: _, build: __, d1_databases: ___, ...shared } = wrangler
    expect(others).toEqual(shared)
  })
})
