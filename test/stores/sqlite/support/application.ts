// An application that keeps its own tables in the file: they have the names of Terce's, and other columns.
import { DatabaseSync } from 'node:sqlite'

const TABLES = ['users', 'events', 'occasions', 'tasks', 'attempts', 'sessions', 'migrations', 'workers']

export function createApplication(file: string): void {
  const db = new DatabaseSync(file)
  for (const name of TABLES)
    db.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, note TEXT);
      CREATE INDEX ${name}_by_name ON ${name} (note);
      INSERT INTO ${name} (note) VALUES ('of the application')`)
  db.close()
}

/** The schema of everything whose name has no prefix, with the rows of the application's tables. */
export function readApplication(file: string, prefix: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const objects = db
      .prepare(`SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`)
      .all()
      .filter(({ name }) => !String(name).startsWith(prefix))
    const rows = TABLES.map((name) => db.prepare(`SELECT * FROM ${name}`).all())
    return { objects, rows }
  } finally {
    db.close()
  }
}
