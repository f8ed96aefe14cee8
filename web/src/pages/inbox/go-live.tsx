// First steps towards production: add people, import people, send to a real server.
import { useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { importPeople } from '../../api/people.ts'
import { browserZone, count } from '../../clock/format.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Note, Panel } from '../../ui/panel.tsx'
import { Rejections, rejectedLines } from '../../ui/rejections.tsx'
import { NewChannel } from '../settings/new-channel.tsx'

export function GoLive() {
  const [secret, setSecret] = useState<string | null>(null)
  const curl = `curl ${location.origin}/user \\
  -H 'Content-Type: application/json' \\
  -d '{"firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1990-12-15","timezone":"${browserZone()}"}'`
  return (
    <Panel title="Go live">
      <div className="grid gap-6 lg:grid-cols-3">
        <div className="min-w-0 space-y-2">
          <h3 className="font-medium">1. Add people</h3>
          <Code label="With the API">{curl}</Code>
        </div>
        <div className="min-w-0 space-y-2">
          <h3 className="font-medium">2. Import people</h3>
          <ImportCsv />
        </div>
        <div className="min-w-0 space-y-2">
          <h3 className="font-medium">3. Send to your own server</h3>
          {secret === null ? (
            <NewChannel onSecret={(_, text) => setSecret(text)} />
          ) : (
            <Code label="Signing secret (shown once)">{secret}</Code>
          )}
        </div>
      </div>
    </Panel>
  )
}

function ImportCsv() {
  const [file, setFile] = useState<{ text: string; name: string } | null>(null)
  const trying = useAction((text: string) => importPeople(text, true), { showsError: true, refetches: [] })
  const importing = useAction((text: string) => importPeople(text, false), {
    showsError: true,
    says: ({ created }) => `${count(created, 'person', 'people')} imported.`,
    onSuccess: () => {
      setFile(null)
      trying.reset()
    },
  })
  const found = trying.data
  const wrong = importing.error ?? trying.error
  return (
    <div className="space-y-3">
      <FileDrop
        onText={(text, name) => {
          setFile({ text, name })
          trying.mutate(text)
        }}
      >
        Drop or choose a CSV file with firstName, lastName, dateOfBirth, timezone and email
      </FileDrop>
      {wrong !== null && <Note tone="failed">{messageOf(wrong)}</Note>}
      {file !== null && found !== undefined && wrong === null && (
        <div className="space-y-2">
          <p>
            {file.name}: {count(found.created, 'person', 'people')} to import
            {found.unchanged > 0 && `, ${found.unchanged.toLocaleString('en')} already there`}
            {found.refused > 0 && (
              <span className="text-failed">, {count(found.refused, 'line')} rejected</span>
            )}
            .
          </p>
          <Rejections rejected={rejectedLines(found.errors)} total={found.refused} />
          <Button
            look="primary"
            disabled={found.created === 0}
            busy={importing.isPending}
            onClick={() => importing.mutate(file.text)}
          >
            Import {found.created.toLocaleString('en')}
          </Button>
        </div>
      )}
    </div>
  )
}
