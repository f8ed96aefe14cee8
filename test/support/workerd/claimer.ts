// A Worker that claims from D1 until no event is due, and responds with the claimed ids.
import type { D1Database } from '../../../src/stores/d1/binding.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'

export default {
  async fetch(request: Request, { DB }: { DB: D1Database }): Promise<Response> {
    const { now, limit } = (await request.json()) as { now: number; limit: number }
    const store = openD1Store(DB)
    const claimed: string[] = []
    for (;;) {
      const claims = await store.claimDue({
        now,
        limit,
        leaseMs: 3_600_000,
        claimedBy: crypto.randomUUID(),
        render: ({ id }) => `body of ${id}`,
      })
      if (claims.length === 0) return Response.json(claimed)
      claimed.push(...claims.map(({ id }) => id))
    }
  },
}
