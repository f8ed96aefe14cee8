// The sharded Worker in workerd, with its objects in a folder and a queue. Alarms deliver: a tick does nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shardedWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'
import { openWorker, startWorker } from './workerd.ts'

export async function openCloudflareSharded(env: Record<string, string>): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'terce-objects-'))
  const worker = await shardedWorker('terce', { ...env, SHARDS: '4' })
  return openWorker({
    async begin(isFirst) {
      const running = await startWorker(worker, { durableObjectsPersist: folder })
      // Workerd forgets the alarms of a stopped process. The cron, which comes within an hour, sets them again.
      if (!isFirst) await running.cron()
      return { ...running, cron: async () => {} }
    },
    removeData: () => rm(folder, { recursive: true }),
  })
}
