// Folds the search text of users that a release without folding has written.
import { type Searched, searchText } from '../../../domain/users/search.ts'
import { arrays, type Columns, unnest } from '../arrays.ts'
import type { Connection } from '../connection.ts'

const READ_UNFOLDED = `SELECT id, version, first_name, last_name, email, external_id FROM terce.users
  WHERE NOT folded ORDER BY id LIMIT $1`

const FOLDED: Columns = { id: 'uuid', version: 'int', search_text: 'text' }

const FOLD = `UPDATE terce.users SET search_text = ref.search_text, folded = true FROM ${unnest(FOLDED)}
  WHERE users.id = ref.id AND users.version = ref.version`

export async function foldUsers({ query }: Connection, limit: number): Promise<number> {
  const users = await query({ text: READ_UNFOLDED, values: [limit] })
  if (users.length === 0) return 0
  const rows = users.map(([id, version, firstName, lastName, email, externalId]) => {
    const searched = { firstName, lastName, email, externalId } as Searched
    return [id as string, version as number, searchText(searched)]
  })
  await query({ text: FOLD, values: arrays(FOLDED, rows) })
  return users.length
}
