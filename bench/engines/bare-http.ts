// The other limit: POSTs to the sink by undici, as many at once as Terce has under way, and nothing else.
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
    settleDown: async () => {},
    async run(count) {
      let sent = 0
      const loop = async () => {
        while (sent < count) {
          sent += 1
          const headers = { 'content-type': 'application/json', 'x-idempotency-key': `bare-${sent}` }
          const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body: BODY })
          await answer.body.dump()
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, loop))
    },
    claim: () => Promise.reject(new Error('There is nothing to claim without a database.')),
    count: async () => ({ due: 0, future: 0 }),
    tearDown: () => agent.close(),
  }
}
