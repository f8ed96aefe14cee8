// API keys: create, show once, revoke. The first key also signs this browser in.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { CREATE_FIRST_KEY, KEYS } from '../../api/query-keys.ts'
import { signIn, useSession } from '../../api/session.ts'
import { createKey, revokeKey, useApiKeys } from '../../api/settings.ts'
import type { ApiKey } from '../../api/settings-types.ts'
import type { Scope } from '../../api/types.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { SignOutEverywhere } from '../../shell/sign-in.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Badge, Empty, Loaded, Note, Panel } from '../../ui/panel.tsx'

export function ApiKeys() {
  const keys = useApiKeys()
  const session = useSession().data
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Panel title="API keys" aside={session?.hasSession && <SignOutEverywhere />} flush>
        <Loaded query={keys} rows={3}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No API keys yet.">Only this computer has access, with full rights.</Empty>
            ) : (
              <ul className="divide-y divide-line">
                {items.map((key) => (
                  <Item key={key.id} apiKey={key} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <Panel title="New key">
        <NewKey isFirst={session?.open === true} />
      </Panel>
    </div>
  )
}

function Item({ apiKey }: { apiKey: ApiKey }) {
  const [revoking, setRevoking] = useState(false)
  const ending = useAction(() => revokeKey(apiKey.id), {
    says: `Key “${apiKey.name}” revoked.`,
    refetches: [KEYS.apiKeys],
    onSettled: () => setRevoking(false),
  })
  const isRevoked = apiKey.revokedAt !== null
  const now = useNow(60_000)
  const isExpired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= now
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
      <div>
        <p className="flex items-center gap-2">
          <span className={`font-medium ${isRevoked ? 'text-soft line-through' : ''}`}>{apiKey.name}</span>
          <Badge>{apiKey.scope}</Badge>
          {isRevoked && <Badge tone="failed">revoked</Badge>}
          {isExpired && !isRevoked && <Badge tone="failed">expired</Badge>}
        </p>
        <p className="text-soft text-xs">
          created <Ago at={apiKey.createdAt} />,{' '}
          {apiKey.lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Ago at={apiKey.lastUsedAt} />
            </>
          )}
          {apiKey.expiresAt !== null && (
            <>
              , expires <Ago at={apiKey.expiresAt} />
            </>
          )}
          {apiKey.allowedFrom.length > 0 && `, only from ${apiKey.allowedFrom.join(', ')}`}
        </p>
      </div>
      {!isRevoked && (
        <Button look="danger" onClick={() => setRevoking(true)}>
          Revoke
        </Button>
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${apiKey.name}”?`}
          action="Revoke"
          danger
          busy={ending.isPending}
          onClose={() => setRevoking(false)}
          onConfirm={() => ending.mutate()}
        >
          <p>
            Requests with this key are rejected within seconds, and browsers that signed in with it are signed
            out. This can’t be undone.
          </p>
        </Confirm>
      )}
    </li>
  )
}

/** `10.0.0.0/8, 192.0.2.7` */
function listOf(addresses: string): string[] {
  return addresses.split(/[\s,]+/).filter((address) => address !== '')
}

/** The API names the address by its place in the list. */
function problemIn(error: unknown, addresses: readonly string[]): string | undefined {
  const [problem] = addresses.flatMap((address, index) => {
    const message = problemOf(error, `allowedFrom.${index}`)
    return message === undefined ? [] : [`"${address}": ${message}`]
  })
  return problem ?? problemOf(error, 'allowedFrom')
}

const DAY_MS = 86_400_000
const SETTLED = [() => true, () => false] as const

function NewKey({ isFirst }: { isFirst: boolean }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>(isFirst ? 'admin' : 'write')
  const [days, setDays] = useState('')
  const [addresses, setAddresses] = useState('')
  const client = useQueryClient()
  const creating = useAction(
    async () => {
      const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      const created = await createKey({ name, scope, expiresAt, allowedFrom: listOf(addresses) })
      // If this fails the key still has to be shown: the reader then signs in with it.
      const signedIn = isFirst && (await signIn(created.key).then(...SETTLED))
      return { ...created, signedIn }
    },
    {
      showsError: true,
      refetches: [],
      // Without a session a refetch would end in the sign-in page, before the reader has copied the first key.
      onSuccess: ({ signedIn }) => {
        if (!isFirst || signedIn) void client.invalidateQueries({ queryKey: KEYS.apiKeys })
      },
      ...(isFirst && { mutationKey: CREATE_FIRST_KEY }),
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  const addressProblem = problemIn(creating.error, listOf(addresses))
  if (creating.data !== undefined) {
    return (
      <div className="space-y-3">
        <Code label="Your new key (shown once)" wraps>
          {creating.data.key}
        </Code>
        {isFirst && (
          <Note>
            Every request now needs a key. Copy this one
            {creating.data.signedIn ? '; this browser is signed in with it.' : ', then sign in with it.'}
          </Note>
        )}
        <Button
          onClick={() => {
            creating.reset()
            setName('')
            setAddresses('')
            void client.invalidateQueries()
          }}
        >
          Done
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} className="space-y-3">
      <Input
        label="Name"
        required
        maxLength={100}
        placeholder="ci"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Select label="Permissions" value={scope} onChange={({ target }) => setScope(target.value as Scope)}>
        <option value="read">Read</option>
        <option value="write">Write: people, templates, events</option>
        <option value="admin">Admin: also channels and keys</option>
      </Select>
      <Select label="Expires" value={days} onChange={({ target }) => setDays(target.value)}>
        <option value="">Never</option>
        <option value="30">In 30 days</option>
        <option value="90">In 90 days</option>
        <option value="365">In a year</option>
      </Select>
      {!isFirst && (
        <Input
          label="Allowed addresses (optional)"
          placeholder="10.0.0.0/8, 192.0.2.7"
          autoComplete="off"
          spellCheck={false}
          value={addresses}
          onChange={({ target }) => {
            setAddresses(target.value)
            creating.reset()
          }}
          problem={addressProblem}
          hint="Addresses or ranges, with commas between them. Empty for any address."
        />
      )}
      {isFirst && (
        <Note>This is the first key. Once it exists, every request needs a key. Choose admin.</Note>
      )}
      <FormError
        text={creating.error === null || addressProblem !== undefined ? undefined : messageOf(creating.error)}
      />
      <Button look="primary" type="submit" busy={creating.isPending}>
        Create key
      </Button>
    </form>
  )
}
