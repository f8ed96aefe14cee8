// API and worker as separate processes on one PostgreSQL: the API wakes a sleeping worker.
import { describe, expect, it } from 'vitest'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'

const stage = useStage()

type Created = { nextBirthdayEvent: { idempotencyKey: string; targetTimestampUTC: string } }

async function createAda(url: string, dateOfBirth: string): Promise<Created> {
  const response = await fetch(`${url}/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', dateOfBirth, timezone: 'UTC' }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Created
}

/**
 * Creates a person whose message is due soon. The worker starts just before: it has found nothing, and would not poll again
 * for five seconds.
 */
async function createPersonDueSoon(receiver: string) {
  for (let leadMs = 2_000; ; ) {
    const began = Date.now()
    const dueAt = Math.ceil((began + leadMs) / 1000) * 1000
    const iso = new Date(dueAt).toISOString()
    const [api, worker] = await Promise.all([
      stage.terce('api', { DELIVER_AT: iso.slice(11, 19) }),
      stage.terce('worker', { WEBHOOK_URL: receiver }),
    ])
    const { nextBirthdayEvent } = await createAda(api.url, `1992-${iso.slice(5, 10)}`)
    if (Date.parse(nextBirthdayEvent.targetTimestampUTC) === dueAt) {
      return { dueAt, key: nextBirthdayEvent.idempotencyKey }
    }
    // Too late: the next try allows as long as this one took, and a little more.
    leadMs = Date.now() - began + 1_500
    await Promise.all([api.end('SIGKILL'), worker.end('SIGKILL')])
  }
}

describe('an API and a worker in processes of their own', () => {
  it('deliver at the instant, not before, and before the next poll of the worker', async () => {
    const receiver = await stage.sink()
    const { dueAt, key } = await createPersonDueSoon(receiver.url)
    await receiver.waitFor(1)
    const [arrival] = receiver.arrivals
    expect(arrival!.key).toBe(key)
    expect(arrival!.at).toBeGreaterThanOrEqual(dueAt)
    expect(arrival!.at).toBeLessThan(dueAt + 2_000)
  })
})
