// Saves the signing key of the ledger, if nobody else has saved one meanwhile.
import type { LedgerKey } from '../../../ports/store.ts'
import type { Connection } from '../connection.ts'
import { atMs } from '../instant.ts'

// Orders two processes that save a key: the second one finds the key of the first.
const LOCK = `SELECT pg_advisory_xact_lock('terce.ledger_keys'::regclass::oid::bigint)`

const SAVE = `INSERT INTO terce.ledger_keys (public_key, private_key, created_at) SELECT $1, $2, ${atMs('$3')}
  WHERE (SELECT private_key FROM terce.ledger_keys WHERE private_key <> '') IS NOT DISTINCT FROM $4
  ON CONFLICT (public_key) DO UPDATE SET private_key = excluded.private_key RETURNING 1`

const RETIRE = `UPDATE terce.ledger_keys SET private_key = '' WHERE public_key <> $1 AND private_key <> ''`

export function saveLedgerKey(
  connection: Connection,
  { publicKey, privateKey, createdAt }: LedgerKey,
  seen: LedgerKey | null,
): Promise<boolean> {
  return connection.transaction(async (run) => {
    await run({ text: LOCK, values: [] })
    const values = [publicKey, privateKey, createdAt, seen?.privateKey ?? null]
    const saved = await run({ text: SAVE, values })
    if (saved.length === 1) await run({ text: RETIRE, values: [publicKey] })
    return saved.length === 1
  })
}
