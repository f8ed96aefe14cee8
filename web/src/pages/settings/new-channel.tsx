// Adds a channel: a webhook, an SMTP server or a mail API.
import { type FormEvent, useState } from 'react'
import { KEYS } from '../../api/query-keys.ts'
import { createChannel, useChannels } from '../../api/settings.ts'
import type { ChannelKind, NewChannel as NewChannelBody } from '../../api/settings-types.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Choices } from '../../ui/field.tsx'
import { ChannelFields, fieldsOf, inputOf, NO_VALUES, type Values } from './channel-fields.tsx'

const KINDS = { webhook: 'Webhook', smtp: 'SMTP', resend: 'Mail API' }

const HOST_HINTS = {
  public:
    'https:// and a public host. A server started with ALLOW_PRIVATE_TARGETS=true also allows private ones.',
  loopback: 'https:// and a public host, or a program on this computer, such as http://127.0.0.1:8080/.',
  any: 'Any host, also of a private network: ALLOW_PRIVATE_TARGETS is true.',
} as const

export function NewChannel({ onSecret }: { onSecret: (name: string, text: string) => void }) {
  const [kind, setKind] = useState<ChannelKind>('webhook')
  const [values, setValues] = useState(NO_VALUES)
  /** Null until the reader decides. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const channels = useChannels().data
  const current = channels?.items.find(({ isDefault }) => isDefault)
  const isDefault = chosen ?? current === undefined
  const creating = useAction(
    () => createChannel({ kind, isDefault, ...inputOf(fieldsOf(kind), values) } as NewChannelBody),
    {
      showsError: true,
      refetches: [KEYS.channels],
      says: ({ channel, secret }) => (secret === null ? `Channel “${channel.name}” added. Test it now.` : ''),
      onSuccess: ({ channel, secret }) => {
        if (secret !== null) onSecret(channel.name, secret)
        setValues(NO_VALUES)
        setChosen(null)
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  const change = (part: Partial<Values>) => {
    setValues({ ...values, ...part })
    creating.reset()
  }
  if (channels?.canStoreSecrets === false) {
    return (
      <p>
        This server has no key to encrypt the secrets of channels with, so no channel can be added. Set
        TERCE_SECRET_KEY, or restore the key file beside the SQLite file, then restart.
      </p>
    )
  }
  return (
    <form onSubmit={submit} className="space-y-3">
      <Choices
        label="Kind"
        value={kind}
        choices={KINDS}
        onChange={(next) => {
          setKind(next)
          creating.reset()
        }}
      />
      <ChannelFields
        kind={kind}
        values={values}
        onChange={change}
        error={creating.error}
        hostHint={channels && HOST_HINTS[channels.allowedTargets]}
      />
      <Checkbox
        label="Make it the default channel"
        hint={`The default channel sends every message whose occasion names no channel.${
          current === undefined ? '' : ` It is ${current.name} now.`
        }`}
        checked={isDefault}
        onChange={setChosen}
      />
      {kind === 'webhook' && (
        <p className="text-soft text-xs">A signing secret is generated, stored encrypted, and shown once.</p>
      )}
      <Button look="primary" type="submit" busy={creating.isPending}>
        {kind === 'webhook' ? 'Add webhook' : 'Add e-mail channel'}
      </Button>
    </form>
  )
}
