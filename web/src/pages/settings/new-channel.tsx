// Adds a channel: a webhook, an SMTP server or a mail API.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { KEYS } from '../../api/query-keys.ts'
import { createChannel, useChannels } from '../../api/settings.ts'
import type { ChannelKind, NewChannel as NewChannelBody } from '../../api/settings-types.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/field.tsx'
import { notify } from '../../ui/toast.tsx'
import { ChannelFields, NO_VALUES, type Values } from './channel-fields.tsx'

const KINDS = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'smtp', label: 'SMTP' },
  { value: 'resend', label: 'Mail API' },
] as const

export function NewChannel({ onSecret }: { onSecret: (name: string, text: string) => void }) {
  const [kind, setKind] = useState<ChannelKind>('webhook')
  const [values, setValues] = useState(NO_VALUES)
  /** Null until the reader decides. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const current = useChannels().data?.items.find(({ isDefault }) => isDefault)
  const isDefault = chosen ?? current === undefined
  const hint = useId()
  const client = useQueryClient()
  const creating = useMutation({
    mutationFn: () => createChannel(bodyOf(kind, values, isDefault)),
    onSuccess: ({ channel, secret }) => {
      void client.invalidateQueries({ queryKey: KEYS.channels })
      if (secret !== null) onSecret(channel.name, secret)
      else notify(`Channel “${channel.name}” added. Test it now.`)
      setValues(NO_VALUES)
      setChosen(null)
    },
  })
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
      <div>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent-fill"
            aria-describedby={hint}
            checked={isDefault}
            onChange={({ target }) => setChosen(target.checked)}
          />
          Make it the default channel
        </label>
        <p id={hint} className="mt-1 text-soft text-xs">
          The default channel sends every message whose occasion names no channel.
          {current !== undefined && ` It is ${current.name} now.`}
        </p>
      </div>
      <Button look="primary" type="submit" busy={creating.isPending}>
        {kind === 'webhook' ? 'Add webhook' : 'Add e-mail channel'}
      </Button>
    </form>
  )
}

function bodyOf(kind: ChannelKind, values: Values, isDefault: boolean): NewChannelBody {
  const { name, url, server, apiKey, baseUrl, from } = values
  if (kind === 'webhook') return { kind, name, url, isDefault }
  const mail = { name, from, replyTo: values.replyTo || null, isDefault }
  return kind === 'smtp' ? { kind, server, ...mail } : { kind, apiKey, baseUrl, ...mail }
}
