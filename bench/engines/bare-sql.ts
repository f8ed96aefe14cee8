// The limit: the store's own statements in two overlapping loops, with no engine around them. In W2 the POSTs of a batch
// lie between its claim and its settling.
import type { Channel } from '../../src/ports/channel.ts'
import type { Claim } from '../../src/ports/claim.ts'
import type { EngineUnderTest } from '../engine.ts'
import { BATCH, createDatabase, settleByHand } from './terce-database.ts'

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
          await settleByHand(store, claims)
          done += claims.length
        }
      }
      await Promise.all(Array.from({ length: LOOPS }, loop))
    },

    claim: () => Promise.reject(new Error('The bare loop has no claim of its own: it is the store’s.')),
  }
}

const BODY = JSON.stringify({ message: "Hey, it's your birthday", padding: 'x'.repeat(200) })
const never = new AbortController().signal

async function send(channel: Channel, { id }: Claim): Promise<void> {
  await channel.deliver({ eventId: id, idempotencyKey: id, body: BODY, attempt: 1 }, never)
}
