// How a message leaves: one call per attempt, its result as data.

export type Delivery = {
  eventId: string
  /** The same for every attempt at this event. */
  idempotencyKey: string
  /** Sent byte for byte; never changed after the first attempt. */
  body: string
  /** The number of the attempt, from 1, as it is listed with the event. */
  attempt: number
  /** True to return the text of the response, which can quote the message: for a test only. */
  keepsResponse?: true
}

/** `response`: what the receiver responded, up to 64 kB, if the delivery keeps it. */
export type DeliveryResult = { response?: string } & Outcome

type Outcome =
  | { kind: 'delivered'; statusCode: number | null }
  /**
   * May work later. `retryAfterMs` is the wait that the receiver asked for; `about: 'event'` says that the destination is healthy and
   * only this one cannot be taken now.
   */
  | {
      kind: 'transient'
      error: string
      statusCode: number | null
      retryAfterMs?: number
      about?: 'event'
    }
  /** Will not work however often it is tried. */
  | { kind: 'permanent'; error: string; statusCode: number | null }

export type Channel = {
  /** Resolves for every answer and every failure of the network; a throw is a bug and counts as transient. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult>
  close(): Promise<void>
}
