// Folds the search text of users that a release without folding has written.
import { type Searched, searchText } from '../../../domain/users/search.ts'
import type { Executor } from '../executor.ts'

const READ_UNFOLDED = `SELECT id, version, first_name, last_name, email, external_id FROM users
  WHERE folded = 0 ORDER BY id LIMIT ?`

const FOLD = `UPDATE users SET search_text = ref.search_text, folded = 1 FROM {rows} AS ref
  WHERE users.id = ref.id AND users.version = ref.version`

export async function foldUsers(executor: Executor, limit: number): Promise<number> {
  const users = await executor.read({ sql: READ_UNFOLDED, params: [limit] })
  if (users.length === 0) return 0
  const rows = users.map(([id, version, firstName, lastName, email, externalId]) => {
    const searched = { firstName, lastName, email, externalId } as Searched
    return [id!, version!, searchText(searched)]
  })
  await executor.batch([{ sql: FOLD, columns: ['id', 'version', 'search_text'], rows }])
  return users.length
}
