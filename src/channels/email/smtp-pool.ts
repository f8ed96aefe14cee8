// Keeps a few connections to the mail server open and lends each to one delivery at a time. Queues no mail: it might send
// one that was aborted long ago.
import type { SmtpSession } from './smtp-session.ts'

/** Many servers close a connection after a hundred mails; closing it first loses none. */
const MAILS_PER_SESSION = 100

export class SmtpPool {
  private readonly create: () => SmtpSession
  private readonly size: number
  private readonly idle: SmtpSession[] = []
  private readonly waiting: ((session: SmtpSession) => void)[] = []
  private lent = 0
  private closed = false

  constructor(create: () => SmtpSession, size: number) {
    this.create = create
    this.size = size
  }

  /** A connection as soon as there is one; null if `signal` comes first. */
  take(signal: AbortSignal): Promise<SmtpSession | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null)
      if (this.lent < this.size) {
        this.lent += 1
        return resolve(this.lastUsed() ?? this.create())
      }
      const onStop = () => {
        this.waiting.splice(this.waiting.indexOf(onTurn), 1)
        resolve(null)
      }
      const onTurn = (session: SmtpSession) => {
        signal.removeEventListener('abort', onStop)
        resolve(session)
      }
      signal.addEventListener('abort', onStop, { once: true })
      this.waiting.push(onTurn)
    })
  }

  give(session: SmtpSession): void {
    if (session.mails >= MAILS_PER_SESSION) session.quit()
    const next = this.waiting.shift()
    if (next !== undefined) return next(session.usable ? session : this.create())
    this.lent -= 1
    if (this.closed) session.quit()
    else if (session.usable) this.idle.push(session)
  }

  /** Deliveries in flight, and deliveries that wait for a connection, still end normally. */
  close(): void {
    this.closed = true
    for (const session of this.idle.splice(0)) session.quit()
  }

  /** Prefers the connection used last, so that surplus connections go idle and are closed. */
  private lastUsed(): SmtpSession | undefined {
    for (let session = this.idle.pop(); session !== undefined; session = this.idle.pop())
      if (session.usable) return session
    return undefined
  }
}
