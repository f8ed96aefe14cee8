// A Worker that seals two days with a new key, or verifies the file that it is given.
import { verifyFile } from '../../../src/ledger-verifier/verifier.ts'
import { createKey, fileOf, linesOf, sealDay } from './sealed-days.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'POST') return Response.json(await verifyFile(await request.text()))
    const key = await createKey()
    const first = await sealDay(key, linesOf('2026-11-16', ['delivered', 'failed']), { day: '2026-11-16' })
    const lines = linesOf('2026-11-17', ['excused', 'delivered', 'open'])
    const second = await sealDay(key, lines, { day: '2026-11-17', before: first })
    return new Response(await fileOf(key, [first, second]))
  },
}
