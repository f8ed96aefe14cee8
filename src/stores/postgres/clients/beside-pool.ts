// Connections beside the pool of an application, made as the pool makes its own: to listen, and to open while all connections of the
// pool are in use.
import pg from 'pg'

/** With the password, which `pg` hides from copies of the options. The private key of `ssl` is hidden too, and is not copied apart. */
export function optionsOf(pool: pg.Pool): pg.PoolConfig {
  const { options, Client } = pool as pg.Pool & { Client?: pg.PoolConfig['Client'] }
  // Without this check, options that name no server would lead to the default one.
  if (Client === undefined)
    throw new TypeError(
      'Terce needs a pool of pg as database: it makes connections of its own with the options of the pool.',
    )
  return { ...options, password: options.password, Client }
}

/** A pool of one connection. Listeners that set up the connections of the other pool set it up too. */
export function poolBeside(pool: pg.Pool): pg.Pool {
  const options = optionsOf(pool)
  const { connectionTimeoutMillis = 5_000 } = options
  const own = new pg.Pool({ ...options, connectionTimeoutMillis, min: 0, max: 1 })
  own.on('error', () => {})
  own.on('connect', (client) => pool.emit('connect', client))
  return own
}
