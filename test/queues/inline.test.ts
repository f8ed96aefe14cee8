// The queue within a process keeps the contract.
import { createInlineQueue } from '../../src/queues/inline.ts'
import { describeQueueContract, MAX_RECEIVES } from '../contracts/queue.contract.ts'

const BATCH_SIZE = 10

describeQueueContract('a queue within the process', async ({ work, deadLetter }) => {
  const queue = createInlineQueue({ work, deadLetter }, { batchSize: BATCH_SIZE, maxReceives: MAX_RECEIVES })
  let refused: string | null = null
  return {
    queue: {
      // Nothing is ever refused within a process: this stands for a service.
      async send(refs) {
        const failed = refs.filter(({ eventId }) => eventId === refused)
        await queue.send(refs.filter((ref) => !failed.includes(ref)))
        return { failed, error: failed.length > 0 ? new Error('refused') : null }
      },
    },
    limit: BATCH_SIZE,
    drain: async () => {
      while ((await queue.deliver(0)) > 0);
    },
    refuse: (eventId) => {
      refused = eventId
    },
    close: async () => {},
  }
})
