// The state and the figures of one channel, and the probe of its destination.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { type ChannelHealth, createHealthReader, probeChannel } from '../../app/channels/health.ts'
import { formatInstant, instantOrNull } from '../../domain/time/timestamp.ts'
import type { DashboardStore, KernelStore, SettingsStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { type HealthJson, PROBE_CHANNEL, READ_HEALTH } from './health-operations.ts'
import { channelNotFound, statusJson } from './json.ts'

export function mountChannelHealth(
  api: OpenAPIHono,
  app: AppDeps<KernelStore & DashboardStore & SettingsStore>,
): void {
  const readHealth = createHealthReader(app)
  const read = async (id: string) => {
    const health = await readHealth(id)
    if (health === null) throw channelNotFound()
    return healthJson(health)
  }

  mount(api, READ_HEALTH, async ({ c, params }) => c.json(await read(params.id)))

  mount(api, PROBE_CHANNEL, async ({ c, params }) => {
    await probeChannel(app, params.id)
    return c.json(await read(params.id))
  })
}

function healthJson(health: ChannelHealth): z.infer<typeof HealthJson> {
  const { isDefault, downSince, lastError, nextProbeAt, countedAt, figures, ...status } = health
  const { waiting, ...last24h } = figures
  return {
    ...statusJson(status),
    isDefault,
    downSince: instantOrNull(downSince),
    lastError,
    nextProbeAt: instantOrNull(nextProbeAt),
    waiting,
    countedAt: formatInstant(countedAt),
    last24h,
  }
}
