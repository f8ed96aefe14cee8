// Each command once as a child process: the program has the command, and passes it the environment and the folder.
// In `npm test` the processes of `start`, `events`, `ledger`, `preview` and a misspelt command are started.
import { expect, it } from 'vitest'
import { NO_ONE } from '../http/support/test-app.ts'
import { useFolder } from './support/run-command.ts'

const folder = useFolder()

it('terce runs each command on the database of its folder', async () => {
  folder.write(
    'people.csv',
    'firstName,lastName,dateOfBirth,timezone,externalId\nAda,L,1990-12-15,UTC,crm-1\n',
  )
  for (const [line, code, output] of [
    ['migrate', 0, /is up to date\./],
    ['import people.csv', 0, / 1 created/],
    ['export', 0, /crm-1,Ada,L,1990-12-15/],
    ['preview --from 2048-01-01 --to 2048-12-31', 0, /2048-12-15 09:00Z/],
    ['send-time 08:30', 0, /^1 occasion among 1 person moved/],
    ['tz', 0, /^Timezone rules: IANA/],
    ['people list', 0, /^crm-1 {2}Ada L/],
    ['templates list', 0, /^No templates/],
    ['events list', 0, /BIRTHDAY/],
    ['channels list', 0, /^inbox/],
    ['test nobody', 1, /USER_NOT_FOUND/],
    [`explain ${NO_ONE}`, 1, /EVENT_NOT_FOUND/],
    ['replay --since 1h --dry-run', 0, /^0 events failed/],
    ['hold', 0, /^Held until terce release: inbox/],
    ['release', 0, /^Released: inbox/],
    ['ledger', 0, /0 due\. Nobody was missed\. So far\./],
    ['doctor', 0, /^ok {4}settings/],
    ['prune --older-than 90d', 0, /^0 settled events deleted/],
    ['keys create --name ci --scope read', 0, /^terce_[\w-]{43}$/m],
  ] as const) {
    const ran = await folder.terce(line.split(' '), { DATABASE_URL: 'sqlite:terce.db', HOME: folder.path })
    expect([line, ran.code, ran.stdout + ran.stderr]).toEqual([line, code, expect.stringMatching(output)])
  }
})
