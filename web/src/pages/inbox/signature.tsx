// Verifies a signature. The server verifies its own; others are checked here, with a secret that stays in the browser.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { verify } from '../../../../src/receiver/verify.ts'
import type { InboxItem } from '../../api/settings-types.ts'
import { Input } from '../../ui/field.tsx'

export function Signature({ item }: { item: InboxItem }) {
  const [secret, setSecret] = useState('')
  const isSigned = item.headers['webhook-signature'] !== undefined
  const checked = useQuery({
    queryKey: ['verified', item.idempotencyKey, item.headers['webhook-signature'], secret],
    queryFn: () => check(item, secret),
    enabled: isSigned && secret.trim() !== '',
    gcTime: 0,
    meta: { live: false },
  })
  if (item.verified === true) return <p className="text-sent">✓ Verified: signed by Terce and unchanged.</p>
  if (!isSigned) {
    return (
      <p className="text-soft">
        Not signed. To sign deliveries, set WEBHOOK_SECRET or add a webhook in Settings.
      </p>
    )
  }
  return (
    <div className="space-y-3">
      <p className="break-all font-mono text-xs">{item.headers['webhook-signature']}</p>
      <Input
        label="Signing secret (stays in this browser)"
        type="password"
        autoComplete="off"
        placeholder="whsec_…"
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      {checked.data !== undefined && (
        <p role="status" className={checked.data === null ? 'text-sent' : 'text-failed'}>
          {checked.data === null ? '✓ Verified: signed with this secret and unchanged.' : `✕ ${checked.data}`}
        </p>
      )}
    </div>
  )
}

/** Null if valid, else the reason. Does not check the age. */
async function check(item: InboxItem, secret: string): Promise<string | null> {
  try {
    const { headers, body } = item
    const now = Number(headers['webhook-timestamp']) * 1_000
    const result = await verify({ headers, body, secrets: [secret.trim()], now })
    return result.kind === 'verified' ? null : result.reason
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
