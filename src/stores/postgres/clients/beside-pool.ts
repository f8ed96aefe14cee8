// Connections beside the pool of an application, made as the pool makes its own: to listen, and to hold the lock of a migration.
import type pg from 'pg'

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
