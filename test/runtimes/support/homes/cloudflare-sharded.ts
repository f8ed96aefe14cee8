// The sharded Worker in workerd, with its objects in a folder and a queue. Alarms deliver: a tick does nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { COMPATIBILITY } from '../../../support/workerd/deployment.ts'
import { callerOf, keepOutput, shardedWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'

export async function openCloudflareSharded(env: Record<string, string>): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'terce-objects-'))
  const worker = await shardedWorker('terce', { ...env, SHARDS: '4' })

  async function begin() {
    const miniflare = new Miniflare({
      cf: false,
      durableObjectsPersist: folder,
      handleRuntimeStdio: keepOutput([]),
      workers: [{ ...worker, ...COMPATIBILITY }],
    })
    await miniflare.ready
    return { miniflare, ...(await callerOf(miniflare, 'terce')) }
  }

  let running: Awaited<ReturnType<typeof begin>> | null = await begin()
  async function stop() {
    await running?.miniflare.dispose()
    running = null
  }
  return {
    async request(method, path, body) {
      const { status, body: answer } = await running!.call<unknown>(method, path, body)
      return { status, body: answer === '' ? null : answer }
    },
    tick: async () => {},
    stop,
    // Workerd forgets the alarms of a stopped process. The cron, which comes within an hour, sets them again.
    start: async () => {
      running = await begin()
      await running.cron()
    },
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}
