// The spike beside all other people: unsigned webhooks to the sink, with three pages of the dashboard open.
import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../../test/web/support/browser.ts'
import { percentile } from '../figures.ts'
import { record, startDashboardClient } from '../product/dashboard-client.ts'
import { untilSettled } from '../product/spike.ts'
import { addDue, type ScaleHome } from './scale-home.ts'

export async function spike({ home, sink, sizes }: ScaleHome) {
  const processes = await home.start({ WEBHOOK_URL: sink.url, ALLOW_PRIVATE_TARGETS: 'true' })
  try {
    const browser = await launchBrowser()
    const recording = await record(browser, processes.url).finally(() => browser.close())
    // Time to insert them at 2,000 per second, and for the pages to connect.
    const at = Date.now() + 15_000 + sizes.spike / 2
    await addDue(
      home.store,
      Array.from({ length: sizes.spike }, () => at),
    )
    await home.settleDown()
    await sink.readAndReset()
    const client = startDashboardClient(processes.url, recording)
    if (Date.now() > at - 2_000) throw new Error('The people were not created in time.')
    await sleep(at - 500 - Date.now())
    // Requests before the spike do not count.
    client.tookMs.clear()
    await untilSettled(home, sink, sizes.spike)
    const tookMs = [...client.tookMs.values()].flat()
    client.stop()
    if (client.failures.length > 0) throw new Error(client.failures.join('\n'))
    const { firstAt, lastAt, distinct } = await sink.readAndReset()
    if (distinct < sizes.spike) throw new Error(`${distinct} of ${sizes.spike} messages arrived.`)
    return {
      spikePerSecond: (sizes.spike * 1_000) / (lastAt - at),
      spikeFirstMs: firstAt - at,
      spikeSeconds: (lastAt - at) / 1_000,
      pagesP50Ms: percentile(tookMs, 50),
      pagesP95Ms: percentile(tookMs, 95),
      pageRequests: tookMs.length,
    }
  } finally {
    await processes.stop()
  }
}
