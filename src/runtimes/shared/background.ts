// Store calls that neither the engine nor the API waits for. A platform that stops the process between calls has to know
// of them.
import { type AnyDecorator, decorateEach } from '../../domain/decorate.ts'
import type { Store } from '../../ports/store.ts'

const NOT_AWAITED = [
  'touchApiKeys',
  'touchSessions',
  'markDown',
  'markUp',
  'setChannelStatus',
] as const satisfies (keyof Store)[]

/** The store, with each such call passed to `keepAlive` as a promise that never rejects. */
export function trackBackground(store: Store, keepAlive: (call: Promise<unknown>) => void): Store {
  const track: AnyDecorator =
    (operation) =>
    (...args) => {
      const call = operation(...args)
      keepAlive(call.catch(() => {}))
      return call
    }
  return decorateEach(store, track, NOT_AWAITED)
}
