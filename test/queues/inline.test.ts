// The queue contract with a queue in memory: a failure here is a bug of the engine, not of a queue service.

import { describeQueueContract, MAX_RECEIVES } from '../contracts/queue.contract.ts'
import { createInlineQueue } from './support/inline-queue.ts'

const BATCH_SIZE = 10

describeQueueContract('a queue in memory', async ({ work, deadLetter }) => {
  const queue = createInlineQueue({ work, deadLetter }, { batchSize: BATCH_SIZE, maxReceives: MAX_RECEIVES })
  let rejected: string | null = null
  return {
    queue: {
      // A queue in memory rejects nothing: this stands for a service that does.
      async send(refs) {
        const failed = refs.filter(({ eventId }) => eventId === rejected)
        await queue.send(refs.filter((ref) => !failed.includes(ref)))
        return { failed, error: failed.length > 0 ? new Error('rejected') : null }
      },
    },
    limit: BATCH_SIZE,
    drain: async () => {
      while ((await queue.deliver(0)) > 0);
    },
    reject: (eventId) => {
      rejected = eventId
    },
    close: async () => {},
  }
})
