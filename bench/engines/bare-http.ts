// The upper limit for HTTP: bare POSTs to the sink by undici, with as many in flight as Terce has, and no database.
import { Agent, request } from 'undici'
import type { EngineUnderTest } from '../engine.ts'

const IN_FLIGHT = 256
const BODY = JSON.stringify({ message: "Hey, it's your birthday", padding: 'x'.repeat(200) })

export function createEngine(): EngineUnderTest {
  const agent = new Agent({ connections: IN_FLIGHT })
  let url = ''
  return {
    async setUp({ sinkUrl }) {
      url = sinkUrl!
    },
    schedule: async (instants) => instants.map((_, i) => `bare${i}`),
    seed: async () => {},
    prepare: async () => {},
    async run(count) {
      let sent = 0
      const loop = async () => {
        while (sent < count) {
          sent += 1
          const headers = { 'content-type': 'application/json', 'x-idempotency-key': `bare-${sent}` }
          const response = await request(url, { dispatcher: agent, method: 'POST', headers, body: BODY })
          await response.body.dump()
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, loop))
    },
    claim: () => Promise.reject(new Error('bare-http has no database to claim from.')),
    count: async () => ({ due: 0, future: 0 }),
    tearDown: () => agent.close(),
  }
}
