// First steps towards production: add people, import people, send to a real server.
import { useState } from 'react'
import { API_BASE } from '../../base.ts'
import { browserZone } from '../../clock/format.ts'
import { Link } from '../../router.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/panel.tsx'
import { NewChannel } from '../settings/new-channel.tsx'

export function GoLive({ isOpen }: { isOpen: boolean }) {
  const [secret, setSecret] = useState<string | null>(null)
  const curl = `curl ${location.origin}${API_BASE}/user \\
${isOpen ? '' : '  -H "Authorization: Bearer $TERCE_API_KEY" \\\n'}  -H 'Content-Type: application/json' \\
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
          <p className="text-soft">
            From a CSV file, with a preview and all errors before anything is stored.
          </p>
          <Link to="people?import=csv" className={buttonClass()}>
            Import CSV
          </Link>
        </div>
        <div className="min-w-0 space-y-2">
          <h3 className="font-medium">3. Send to your own server</h3>
          {secret === null ? (
            <NewChannel onSecret={(_, text) => setSecret(text)} />
          ) : (
            <Code label="Signing secret (shown once)" wraps>
              {secret}
            </Code>
          )}
        </div>
      </div>
    </Panel>
  )
}
