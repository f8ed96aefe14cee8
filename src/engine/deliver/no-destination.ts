// The destination of events that have none.
import { NO_CHANNEL, NO_LIMITS } from '../../domain/settings/channel.ts'
import type { Destination } from './destinations.ts'

/** The fallback where there is no inbox. It is held: events wait until a channel is the default. */
export const NO_DESTINATION: Destination = {
  id: NO_CHANNEL,
  name: 'none',
  kind: 'webhook',
  status: 'HELD',
  limits: NO_LIMITS,
  channel: {
    deliver: async () => ({ kind: 'transient', error: 'NO_CHANNEL', statusCode: null }),
    close: async () => {},
  },
}
