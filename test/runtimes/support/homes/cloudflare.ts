// The Worker in workerd, with D1 in a folder and a queue. A tick runs its cron.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startD1 } from '../../../support/workerd/d1.ts'
import { callerOf, keepOutput, terceWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'
import { openWorker } from './workerd.ts'

export async function openCloudflare(env: Record<string, string>): Promise<Home> {
  const d1Persist = await mkdtemp(join(tmpdir(), 'terce-d1-'))
  const worker = await terceWorker('terce', env, { consumes: true })
  return openWorker({
    async begin(isFirst) {
      const how = { handleRuntimeStdio: keepOutput([]), migrated: isFirst, d1Persist }
      const { miniflare, stop } = await startD1([worker], how)
      return { ...(await callerOf(miniflare, 'terce')), stop }
    },
    removeData: () => rm(d1Persist, { recursive: true }),
  })
}
