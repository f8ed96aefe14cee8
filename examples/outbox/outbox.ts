// An application with its own users table that Terce must hear of, also after a crash: each change of a user commits with a row
// of the outbox, and `sendOutbox` repeats the row until Terce has it. The statements work on PostgreSQL too.
import type { DatabaseSync } from 'node:sqlite'
import { type Client, TerceError } from 'terce/client'

export type Person = { firstName: string; lastName: string; dateOfBirth: string; timezone: string }

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS users (
    id TEXT PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, date_of_birth TEXT NOT NULL, timezone TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS outbox (
    user_id TEXT PRIMARY KEY REFERENCES users (id), revision INTEGER NOT NULL, problem TEXT)`

/** The user and the outbox row commit together, or neither does. */
export function saveUser(db: DatabaseSync, id: string, person: Person): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.prepare(
      `INSERT INTO users (id, first_name, last_name, date_of_birth, timezone) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name,
         date_of_birth = excluded.date_of_birth, timezone = excluded.timezone`,
    ).run(id, person.firstName, person.lastName, person.dateOfBirth, person.timezone)
    db.prepare(
      `INSERT INTO outbox (user_id, revision) VALUES (?, 1)
       ON CONFLICT (user_id) DO UPDATE SET revision = outbox.revision + 1, problem = NULL`,
    ).run(id)
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

type Row = { userId: string; revision: number } & Person

/** Sends every waiting user once, as they are now. Returns how many rows are left to send. Call it from one loop. */
export async function sendOutbox(db: DatabaseSync, client: Client): Promise<number> {
  const rows = db
    .prepare(
      `SELECT o.user_id AS "userId", o.revision, u.first_name AS "firstName", u.last_name AS "lastName",
         u.date_of_birth AS "dateOfBirth", u.timezone
       FROM outbox AS o JOIN users AS u ON u.id = o.user_id WHERE o.problem IS NULL`,
    )
    .all() as Row[]
  let left = 0
  for (const { userId, revision, ...person } of rows) {
    try {
      const path = { externalId: userId }
      await client.put('/user/by-external-id/{externalId}', { path, body: person })
      // A change that was made meanwhile has raised the revision, and is sent in the next round.
      db.prepare('DELETE FROM outbox WHERE user_id = ? AND revision = ?').run(userId, revision)
    } catch (error) {
      if (error instanceof TerceError && error.code === 'INVALID_INPUT') {
        // A repetition cannot succeed. The row stays for a person to look at, until the user is changed.
        const setProblem = db.prepare('UPDATE outbox SET problem = ? WHERE user_id = ? AND revision = ?')
        setProblem.run(error.message, userId, revision)
      } else left += 1
    }
  }
  return left
}
