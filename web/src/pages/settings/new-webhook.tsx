// Adds a webhook channel.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { KEYS } from '../../api/query-keys.ts'
import { createWebhook } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'

type NewWebhookProps = { onSecret: (name: string, text: string) => void; onDone?: () => void }

export function NewWebhook({ onSecret, onDone }: NewWebhookProps) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const client = useQueryClient()
  const creating = useMutation({
    mutationFn: () => createWebhook(name, url, true),
    onSuccess: ({ channel, secret }) => {
      void client.invalidateQueries({ queryKey: KEYS.channels })
      if (secret !== null) onSecret(channel.name, secret)
      setName('')
      setUrl('')
      onDone?.()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  const wrong = creating.error
  return (
    <form onSubmit={submit} className="space-y-3">
      <Input
        label="Name"
        required
        placeholder="crm"
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problemOf(wrong, 'name')}
      />
      <Input
        label="URL"
        type="url"
        required
        placeholder="https://example.com/hooks/terce"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        problem={problemOf(wrong, 'url')}
      />
      {wrong !== null && problemOf(wrong, 'name') === undefined && problemOf(wrong, 'url') === undefined && (
        <p role="alert" className="text-failed">
          {messageOf(wrong)}
        </p>
      )}
      <p className="text-soft text-xs">It becomes the default channel. Its signing secret is shown once.</p>
      <Button look="primary" type="submit" busy={creating.isPending}>
        Add webhook
      </Button>
    </form>
  )
}
