// The Cloudflare Worker with D1, which holds all state.
import { createHandlers } from './handlers.ts'
import { makeParts } from './parts.ts'

export default createHandlers(makeParts)
