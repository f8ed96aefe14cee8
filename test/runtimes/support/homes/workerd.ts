// A home that is a Worker in workerd: it can be killed, and started again on its data.
import { Miniflare, type SharedOptions, type WorkerOptions } from 'miniflare'
import { COMPATIBILITY } from '../../../support/workerd/deployment.ts'
import { callerOf, keepOutput } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'

export type RunningWorker = Awaited<ReturnType<typeof callerOf>> & { stop(): Promise<void> }

export async function startWorker(
  worker: WorkerOptions,
  { output = [], ...shared }: SharedOptions & { output?: string[] } = {},
): Promise<RunningWorker> {
  const miniflare = new Miniflare({
    cf: false,
    ...shared,
    handleRuntimeStdio: keepOutput(output),
    workers: [{ ...COMPATIBILITY, ...worker }],
  })
  return { ...(await callerOf(miniflare, worker.name!)), stop: () => miniflare.dispose() }
}

export async function openWorker({
  begin,
  removeData = async () => {},
}: {
  /** Starts the Worker, the first time on no data. The `cron` of the result is the tick of the home. */
  begin: (isFirst: boolean) => Promise<RunningWorker>
  removeData?: () => Promise<unknown>
}): Promise<Home> {
  let running: RunningWorker | null = await begin(true)
  async function stop() {
    await running?.stop()
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
      await removeData()
    },
  }
}
