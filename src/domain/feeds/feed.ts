// A calendar feed and the secret in its URL.

export type Feed = {
  id: string
  /** The hash of the secret; the secret itself is not stored. */
  tokenHash: string
  /** Null for the calendar of all people. */
  userId: string | null
  createdAt: number
}
