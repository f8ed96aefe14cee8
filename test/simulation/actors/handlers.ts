// The handlers of an application in a worker: the product's own channel, on real transactions, with a handler that writes one
// row for each event and meets the faults of the scenario.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import type { Destination } from '../../../src/engine/deliver/destinations.ts'
import { type HandlerContext, PermanentError } from '../../../src/library/handlers/handler.ts'
import { handlerDestination } from '../../../src/library/handlers/handler-channel.ts'
import type { Delivery } from '../../../src/ports/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { HandlerFault } from '../scenario.ts'
import type { Database } from '../support/database.ts'
import type { HandlerTransaction } from '../support/handler-transaction.ts'
import type { World } from '../support/world.ts'
import { noteCalls } from './connection.ts'
import type { Process } from './process.ts'

/** Null if the application of the scenario has no handlers. */
export function connectHandlers(
  world: World,
  database: Database,
  process: Process,
  store: Store,
): Destination | null {
  const { scenario, scheduler, note, mistake } = world
  if (scenario.handlers === undefined) return null
  const { name: who, clock } = process
  /** By their keys: the body of a replay names the failed event. */
  const deliveries = new Map<string, Delivery>()

  const storeIn = (tx: HandlerTransaction) =>
    mistake?.settlesApart ? store : noteCalls(world, process, database.storeIn(tx))

  /** A wait that ends with the process. */
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  async function handle(eventId: string, tx: HandlerTransaction, fault: HandlerFault | null): Promise<void> {
    if (fault?.how === 'slow') await wait(fault.ms)
    if (fault?.how === 'throws') throw new Error('the handler failed')
    await tx.write(eventId)
    if (fault?.how === 'throws after its write') throw new Error('the handler failed')
    if (fault?.how === 'fails for good') throw new PermanentError('the handler failed')
  }

  const { channel, ...destination } = handlerDestination<HandlerTransaction>({
    clock,
    handlers: new Map([
      [
        '*',
        async (_: unknown, { tx, idempotencyKey: key }: HandlerContext<HandlerTransaction>) => {
          const fault = world.handlerFaults.take(scheduler.now())
          const { eventId, body } = deliveries.get(key)!
          const failed = await handle(eventId, tx, fault).catch((error: Error) => error)
          const reply = fault?.how ?? 'handled'
          const met = { who, channel: HANDLER_CHANNEL, eventId, key, body, reply, retryAfterMs: 0 }
          note({ kind: 'arrival', accepted: failed === undefined, well: fault === null, takesMs: 0, ...met })
          if (failed !== undefined) throw failed
        },
      ],
    ]),
    transactions: {
      async run(work) {
        await process.ask('begin', async () => {})
        const tx = database.transactionFor(process)
        try {
          const result = await work(tx)
          await tx.commit()
          return result
        } catch (error) {
          await tx.rollback().catch(() => {})
          throw error
        }
      },
      abandon: (tx) => tx.abandon(),
    },
    storeIn: storeIn,
    report() {},
    ...scenario.handlers,
  })

  return {
    ...destination,
    channel: {
      ...channel,
      async deliver(delivery, signal) {
        const { eventId } = delivery
        const sending = { who, channel: HANDLER_CHANNEL, eventId }
        deliveries.set(delivery.idempotencyKey, delivery)
        note({ kind: 'send', clock: clock.now(), ...sending })
        const result = await channel.deliver(delivery, signal)
        const error = result.kind === 'delivered' ? null : result.error
        note({ kind: 'result', version: 0, statusCode: result.statusCode, error, response: null, ...sending })
        return result
      },
    },
  }
}
