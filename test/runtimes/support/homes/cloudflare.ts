// The Worker in workerd, with D1 in a folder and a queue. A tick runs its cron.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startD1 } from '../../../support/workerd/d1.ts'
import { callerOf, keepOutput, terceWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'

export async function openCloudflare(env: Record<string, string>): Promise<Home> {
  const d1Persist = await mkdtemp(join(tmpdir(), 'terce-d1-'))
  const worker = await terceWorker('terce', env, { consumes: true })

  async function begin(migrated: boolean) {
    const d1 = await startD1([worker], { handleRuntimeStdio: keepOutput([]), migrated, d1Persist })
    return { d1, ...(await callerOf(d1.miniflare, 'terce')) }
  }

  let running: Awaited<ReturnType<typeof begin>> | null = await begin(true)
  async function stop() {
    await running?.d1.stop()
    running = null
  }
  return {
    async request(method, path, body) {
      const { status, body: answer } = await running!.call<unknown>(method, path, body)
      return { status, body: answer === '' ? null : answer }
    },
    tick: () => running!.cron(),
    stop,
    start: async () => {
      running = await begin(false)
    },
    remove: async () => {
      await stop()
      await rm(d1Persist, { recursive: true })
    },
  }
}
