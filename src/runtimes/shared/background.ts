// Store calls that neither the engine nor the API waits for. A platform that stops the process between calls has to know
// of them.
import type { Store } from '../../ports/store.ts'

/** The store, with each such call passed to `keepAlive` as a promise that never rejects. */
export function trackBackground(store: Store, keepAlive: (call: Promise<unknown>) => void): Store {
  function track<T>(call: Promise<T>): Promise<T> {
    keepAlive(call.catch(() => {}))
    return call
  }
  return {
    ...store,
    touchApiKeys: (used) => track(store.touchApiKeys(used)),
    touchSessions: (used) => track(store.touchSessions(used)),
    markDown: (down) => track(store.markDown(down)),
    markUp: (channelId, at) => track(store.markUp(channelId, at)),
    wakeParked: (parked) => track(store.wakeParked(parked)),
    setChannelStatus: (change) => track(store.setChannelStatus(change)),
  }
}
