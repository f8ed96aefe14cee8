// The upper limit for SQL: the statements of the store in two overlapping loops, without the engine. In W2 each loop sends
// the POSTs of a batch between claiming and settling it.
import type { Channel } from '../../src/ports/channel.ts'
import type { Claim } from '../../src/ports/claim.ts'
import type { EngineUnderTest } from '../engine.ts'
import { BATCH, createDatabase, settleDelivered } from './terce-database.ts'

const LOOPS = 2

export function createEngine(): EngineUnderTest {
  const database = createDatabase()
  return {
    ...database,

    async run(count, channel) {
      const store = database.store()
      let done = 0
      const loop = async () => {
        while (done < count) {
          const claims = await store.claimDue({
            now: Date.now(),
            limit: BATCH,
            leaseMs: 60_000,
            claimedBy: 'bare',
            render: () => BODY,
          })
          if (claims.length === 0) return
          await Promise.all(claims.map((claim) => send(channel, claim)))
          await settleDelivered(store, claims)
          done += claims.length
        }
      }
      await Promise.all(Array.from({ length: LOOPS }, loop))
    },

    claim: () => Promise.reject(new Error('bare-sql claims as terce-postgres does. Measure that engine.')),
  }
}

const BODY = JSON.stringify({ message: "Hey, it's your birthday", padding: 'x'.repeat(200) })
const never = new AbortController().signal

async function send(channel: Channel, { id }: Claim): Promise<void> {
  await channel.deliver({ eventId: id, idempotencyKey: id, body: BODY, attempt: 1 }, never)
}
