// An in-memory receiver for development: keeps deliveries, deduplicates by idempotency key, and can reject or hang.

export const INBOX_MODES = ['accept', 'reject', 'hang'] as const
export type InboxMode = (typeof INBOX_MODES)[number]

type InboxDelivery = {
  idempotencyKey: string | null
  body: string
  headers: Record<string, string>
  receivedAt: number
  /** Whether its signature is valid; null without one. */
  verified: boolean | null
}

/** One message, however often it was delivered. */
export type InboxItem = InboxDelivery & { timesReceived: number; timesRejected: number }

export type Inbox = {
  /** Authenticates our own worker. */
  token: string
  /** The secrets that our own worker signs with. */
  secrets: readonly string[]
  /** `gone`: the sender disconnected before the response. */
  receive(delivery: InboxDelivery, sender: AbortSignal): Promise<'accepted' | 'rejected' | 'gone'>
  /** Newest first. */
  items(): InboxItem[]
  /** How many deliveries were rejected since it was last cleared. */
  rejected(): number
  mode(): InboxMode
  /** The new mode also applies to deliveries that hang. */
  setMode(mode: InboxMode): void
  /** Deletes the messages about a user, and keeps none that arrives later: it may be in flight. */
  forget(userId: string): void
  clear(): void
}

type InboxSettings = Pick<Inbox, 'token' | 'secrets'> & { capacity: number }

export function createInbox({ capacity, token, secrets }: InboxSettings): Inbox {
  const items = new Map<string, InboxItem>()
  const rejections = new Map<string, number>()
  const waiting = new Set<() => void>()
  const forgotten = new Map<string, true>()
  let rejected = 0
  let unkeyed = 0
  let mode: InboxMode = 'accept'

  function accept(delivery: InboxDelivery): void {
    const userId = userIn(delivery.body)
    if (userId !== null && forgotten.has(userId)) return
    // Without a key, each delivery is a message of its own. A header cannot contain a line break, so the key is unique.
    const key = delivery.idempotencyKey ?? `\n${++unkeyed}`
    const known = items.get(key)
    if (known !== undefined) known.timesReceived += 1
    else items.set(key, { ...delivery, timesReceived: 1, timesRejected: rejections.get(key) ?? 0 })
    forgetOldest(items, capacity)
  }

  function reject({ idempotencyKey: key }: InboxDelivery): void {
    rejected += 1
    if (key === null) return
    const known = items.get(key)
    if (known !== undefined) known.timesRejected += 1
    else rejections.set(key, (rejections.get(key) ?? 0) + 1)
    forgetOldest(rejections, capacity)
  }

  async function hang(sender: AbortSignal): Promise<void> {
    await new Promise<void>((wake) => {
      waiting.add(wake)
      sender.addEventListener('abort', () => {
        waiting.delete(wake)
        wake()
      })
    })
  }

  return {
    token,
    secrets,
    async receive(delivery, sender) {
      while (mode === 'hang' && !sender.aborted) await hang(sender)
      if (sender.aborted) return 'gone'
      if (mode === 'reject') {
        reject(delivery)
        return 'rejected'
      }
      accept(delivery)
      return 'accepted'
    },
    items: () => [...items.values()].reverse(),
    rejected: () => rejected,
    mode: () => mode,
    setMode(next) {
      mode = next
      for (const wake of waiting) wake()
      waiting.clear()
    },
    forget(userId) {
      forgotten.set(userId, true)
      forgetOldest(forgotten, FORGOTTEN_MAX)
      for (const [key, { body }] of items) if (userIn(body) === userId) items.delete(key)
    },
    clear() {
      items.clear()
      rejections.clear()
      rejected = 0
    },
  }
}

/** A message in flight arrives within minutes: this many deletions are remembered. */
const FORGOTTEN_MAX = 10_000

/** The `userId` of a JSON body. */
function userIn(body: string): string | null {
  try {
    const userId: unknown = JSON.parse(body)?.userId
    return typeof userId === 'string' ? userId : null
  } catch {
    return null
  }
}

function forgetOldest(map: Map<string, unknown>, capacity: number): void {
  for (const key of map.keys()) {
    if (map.size <= capacity) return
    map.delete(key)
  }
}
