// A client that knows whether its server is a standby: PostgreSQL reports it with the connection, so no query is needed. The
// store does not use such a connection: its reads are behind the acknowledged writes.
import pg from 'pg'
import { StoreUnavailableError } from '../../../domain/errors.ts'

export const READ_ONLY_TRANSACTION = '25006'

export class PrimaryClient extends pg.Client {
  isStandby = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // A server that shuts down may end a connection in the packet that accepts it, before any caller can listen for errors.
    // Without a listener the process would end; with it, the next statement fails.
    this.on('error', () => {})
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on'
    })
  }
}

/** Calls back with an outage if the client has reached a standby. */
export function rejectStandby(client: pg.Client, done: (error?: Error) => void): void {
  const isStandby = client instanceof PrimaryClient && client.isStandby
  done(
    isStandby
      ? new StoreUnavailableError('The database is a standby', READ_ONLY_TRANSACTION, undefined)
      : undefined,
  )
}
