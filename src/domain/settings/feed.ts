// A calendar feed: who is in it, and the secret by which it may be read.

export type Feed = {
  id: string
  /** Of the secret in its URL only this is kept. */
  tokenHash: string
  /** Whose calendar it is; null for everybody's. */
  userId: string | null
  createdAt: number
}
