// An in-memory receiver for development: keeps deliveries, deduplicates by idempotency key, and can reject or hang.
import type { Page } from '../../ports/query.ts'

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
export type InboxItem = InboxDelivery & {
  /** Larger for a newer item. */
  number: number
  timesReceived: number
  timesRejected: number
}

export type Inbox = {
  /** Authenticates our own worker. */
  token: string
  /** The secrets that our own worker signs with. */
  secrets: readonly string[]
  /** `gone`: the sender disconnected before the response. */
  receive(delivery: InboxDelivery, sender: AbortSignal): Promise<'accepted' | 'rejected' | 'gone'>
  /** Newest first. The cursor is the number of the last item of the page before. */
  page(of: { limit: number; cursor: string | null }): Page<InboxItem>
  /** How many messages it keeps. */
  size(): number
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

/** Of all messages as JSON, in which a control character has six. */
const MOST_CHARACTERS = 4_000_000

export function createInbox({ capacity, token, secrets }: InboxSettings): Inbox {
  const kept = createKept(capacity)
  const rejections = new Map<string, number>()
  const waiting = new Set<() => void>()
  const forgotten = new Map<string, true>()
  let rejected = 0
  let mode: InboxMode = 'accept'

  function accept(delivery: InboxDelivery): void {
    const userId = userIn(delivery.body)
    if (userId !== null && forgotten.has(userId)) return
    kept.add(delivery, rejections)
  }

  function reject({ idempotencyKey: key }: InboxDelivery): void {
    rejected += 1
    if (key === null) return
    const known = kept.find(key)
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
    page: kept.page,
    size: kept.size,
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
      kept.removeIf(({ body }) => userIn(body) === userId)
    },
    clear() {
      kept.removeIf(() => true)
      rejections.clear()
      rejected = 0
    },
  }
}

/** The newest messages, at most `capacity`. */
function createKept(capacity: number) {
  const items = new Map<string, InboxItem & { characters: number }>()
  let received = 0
  let characters = 0

  function remove(key: string): void {
    characters -= items.get(key)!.characters
    items.delete(key)
  }

  return {
    find: (key: string): InboxItem | undefined => items.get(key),
    size: () => items.size,
    add(delivery: InboxDelivery, rejections: ReadonlyMap<string, number>): void {
      received += 1
      // Without a key, each delivery is a message of its own. A header cannot contain a line break, so the key is unique.
      const key = delivery.idempotencyKey ?? `\n${received}`
      const known = items.get(key)
      if (known !== undefined) {
        known.timesReceived += 1
        return
      }
      const timesRejected = rejections.get(key) ?? 0
      const { length } = JSON.stringify(delivery)
      items.set(key, { ...delivery, number: received, characters: length, timesReceived: 1, timesRejected })
      characters += length
      for (const oldest of items.keys()) {
        if (items.size <= capacity && characters <= MOST_CHARACTERS) return
        remove(oldest)
      }
    },
    page({ limit, cursor }: { limit: number; cursor: string | null }): Page<InboxItem> {
      const before = Number(cursor ?? Number.POSITIVE_INFINITY)
      const older = [...items.values()].filter(({ number }) => number < before).reverse()
      const page = older.slice(0, limit)
      return { items: page, nextCursor: older.length > limit ? String(page.at(-1)!.number) : null }
    },
    removeIf(matches: (item: InboxItem) => boolean): void {
      for (const [key, item] of items) if (matches(item)) remove(key)
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
