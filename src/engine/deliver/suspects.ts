// The events that got no response from a destination: whether a further failure is attributed to the event or to the destination.

/**
 * What a failure is attributed to: the event, a destination that did not respond, or a destination that is down, which several
 * failures have shown. Only the first uses a retry.
 */
export type Cause = 'event' | 'unresponsive' | 'down'

export type Suspects = {
  /** The destination responded to the event. */
  onSuccess(eventId: string): void
  /**
   * An attempt without a response shows the destination to be down, unless the destination responded to another event since
   * this one failed before: then the event is the likely cause, and must not be tried for ever.
   */
  causeOf(failed: { eventId: string; responded: boolean; isOpen: boolean }): Cause
}

/** Enough for every event in flight; an older one is attributed to the destination once more. */
const MOST_SUSPECTS = 1_000

export function createSuspects(): Suspects {
  let successes = 0
  /** Each with the number of successes when it failed. */
  const suspects = new Map<string, number>()

  return {
    onSuccess(eventId) {
      successes += 1
      suspects.delete(eventId)
    },

    causeOf({ eventId, responded, isOpen }) {
      if (responded) return isOpen ? 'down' : 'event'
      const before = suspects.get(eventId)
      suspects.delete(eventId)
      suspects.set(eventId, successes)
      if (suspects.size > MOST_SUSPECTS) suspects.delete(suspects.keys().next().value!)
      if (isOpen) return 'down'
      return before !== undefined && successes > before ? 'event' : 'unresponsive'
    },
  }
}
