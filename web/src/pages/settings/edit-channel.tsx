// Edits the settings and the secret of a channel.
import { type FormEvent, useState } from 'react'
import { KEYS } from '../../api/query-keys.ts'
import { changeChannel, rotateSecret } from '../../api/settings.ts'
import type { Channel, ChannelChange } from '../../api/settings-types.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChannelFields, fieldsOf, inputOf, type Values, valuesOf } from './channel-fields.tsx'

export function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const before = valuesOf(channel)
  const [values, setValues] = useState(before)
  const saving = useAction(() => save(channel, before, values), {
    showsError: true,
    refetches: [KEYS.channels],
    says: `Channel “${values.name}” saved.`,
    onSuccess: onClose,
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
          onlyLimits={channel.managedByEnvironment}
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

/** Sends the changed fields. The address of an SMTP server has its password, so it is replaced as a secret. */
async function save(channel: Channel, before: Values, values: Values): Promise<void> {
  const changed = fieldsOf(channel.kind).filter(
    (field) => field !== 'server' && values[field] !== before[field],
  )
  if (changed.length > 0) await changeChannel(channel, inputOf(changed, values) as ChannelChange)
  if (values.server !== '') await rotateSecret(channel.id, values.server)
}
