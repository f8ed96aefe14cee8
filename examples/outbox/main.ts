// Signs a person up and sends the outbox until it is empty; an application would keep the loop running.
// TERCE_URL=http://localhost:3000 TERCE_API_KEY=terce_… node main.ts
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'terce/client'
import { SCHEMA, saveUser, sendOutbox } from './outbox.ts'

const { TERCE_URL: url = 'http://localhost:3000', TERCE_API_KEY: key } = process.env
const client = createClient({ url, key })
const db = new DatabaseSync('app.db')
db.exec(SCHEMA)

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'America/Vancouver',
}
saveUser(db, 'user-1', ada)
while ((await sendOutbox(db, client)) > 0) await sleep(1_000)
console.log('The outbox is empty.')
