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

export function NewChannel({ onSecret }: { onSecret: (name: string, text: string) => void }) {
  const [kind, setKind] = useState<ChannelKind>('webhook')
  const [values, setValues] = useState(NO_VALUES)
  /** Null until the reader decides. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const current = useChannels().data?.items.find(({ isDefault }) => isDefault)
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
      <ChannelFields kind={kind} values={values} onChange={change} error={creating.error} />
      <Checkbox
        label="Make it the default channel"
        hint={`The default channel sends every message whose occasion names no channel.${
          current === undefined ? '' : ` It is ${current.name} now.`
        }`}
        checked={isDefault}
        onChange={setChosen}
      />
      <Button look="primary" type="submit" busy={creating.isPending}>
        {kind === 'webhook' ? 'Add webhook' : 'Add e-mail channel'}
      </Button>
    </form>
  )
}
