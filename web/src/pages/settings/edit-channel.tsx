// Edits the name, the address and the secret of a channel.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { KEYS } from '../../api/query-keys.ts'
import { changeChannel, rotateSecret } from '../../api/settings.ts'
import type { Channel, ChannelChange } from '../../api/settings-types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { ChannelFields, fieldsOf, type Values } from './channel-fields.tsx'

export function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const before = valuesOf(channel)
  const [values, setValues] = useState(before)
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () => save(channel, before, values),
    onSuccess: () => {
      notify(`Channel “${values.name}” saved.`)
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.channels }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Dialog title={`Edit ${channel.name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-3">
        <ChannelFields
          kind={channel.kind}
          values={values}
          onChange={(change) => {
            setValues({ ...values, ...change })
            saving.reset()
          }}
          error={saving.error}
          keepsSecrets
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={saving.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function valuesOf({ name, url = '', baseUrl = '', from = '', replyTo }: Channel): Values {
  return { name, url, baseUrl, from, replyTo: replyTo ?? '', server: '', apiKey: '' }
}

/** Sends the changed fields. The address of an SMTP server has its password, so it is replaced as a secret. */
async function save(channel: Channel, before: Values, values: Values): Promise<void> {
  const changed = fieldsOf(channel.kind).filter((field) => values[field] !== before[field])
  const change: ChannelChange = {}
  for (const field of changed) {
    if (field === 'replyTo') change.replyTo = values.replyTo || null
    else if (field !== 'server') change[field] = values[field]
  }
  if (Object.keys(change).length > 0) await changeChannel(channel, change)
  if (values.server !== '') await rotateSecret(channel.id, values.server)
}
