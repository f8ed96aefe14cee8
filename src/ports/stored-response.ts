// The response to an idempotent request, stored with the rows that the request created.

/** The first response under a hashed idempotency key. The body is null once a record that it mentions was erased. */
export type StoredResponse = { key: string; fingerprint: string; status: number; body: string | null }

/** A response to store. Responses created before `forgetBefore` are deleted on the way. */
export type NewStoredResponse = StoredResponse & { createdAt: number; forgetBefore: number }

/** The key was used before: nothing was written, and the first response stands. */
export type ResponseExists = { kind: 'response-exists'; response: StoredResponse }
