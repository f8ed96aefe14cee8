// Saves the signing key of the ledger, if nobody else has saved one meanwhile.
import type { LedgerKey } from '../../../ports/store.ts'
import type { Executor } from '../executor.ts'

const SAVE = `INSERT INTO ledger_keys (public_key, private_key, created_at) SELECT ?1, ?2, ?3
  WHERE (SELECT private_key FROM ledger_keys WHERE private_key <> '') IS ?4
  ON CONFLICT (public_key) DO UPDATE SET private_key = excluded.private_key`

const RETIRE = `UPDATE ledger_keys SET private_key = '' WHERE public_key <> ?1 AND private_key <> ''
  AND EXISTS (SELECT 1 FROM ledger_keys WHERE public_key = ?1)`

export async function saveLedgerKey(
  executor: Executor,
  { publicKey, privateKey, createdAt }: LedgerKey,
  seen: LedgerKey | null,
): Promise<boolean> {
  const [saved] = await executor.batch(
    [
      { sql: SAVE, params: [publicKey, privateKey, createdAt, seen?.privateKey ?? null] },
      { sql: RETIRE, params: [publicKey] },
    ],
    { erases: seen !== null },
  )
  return saved!.changes === 1
}
