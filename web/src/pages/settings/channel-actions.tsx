// Changes a channel: edit, make default, hold, switch off, rotate the secret, delete. Asks before it acts where
// messages are affected.
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { changeChannel, deleteChannel, rotateSecret, switchChannel } from '../../api/settings.ts'
import type { Channel } from '../../api/settings-types.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { HoldButton } from './channel-state.tsx'
import { EditChannel } from './edit-channel.tsx'

type Props = { channel: Channel; onSecret: (text: string) => void }
type Step = {
  title: string
  action: string
  danger?: true
  text: ReactNode
  run: () => Promise<unknown>
  done?: string
}

export function ChannelActions({ channel, onSecret }: Props) {
  const [asked, setAsked] = useState<Step | null>(null)
  const [editing, setEditing] = useState(false)
  const acting = useAction((step: Step) => step.run(), {
    showsError: true,
    says: (_, { done }) => done ?? '',
    onSuccess: () => setAsked(null),
  })
  const ask = (step: Step) => {
    acting.reset()
    setAsked(step)
  }
  const { status, isDefault, managedByEnvironment } = channel
  const steps = stepsOf(channel, onSecret)
  const isWebhook = channel.kind === 'webhook'
  return (
    <>
      <Button icon="edit" onClick={() => setEditing(true)}>
        Edit
      </Button>
      {!isDefault && <Button onClick={() => ask(steps.makeDefault)}>Make default</Button>}
      {isDefault && !managedByEnvironment && (
        <Button onClick={() => ask(steps.endDefault)}>Remove as default</Button>
      )}
      <HoldButton channel={channel} />
      {status !== 'DISABLED' && <Button onClick={() => ask(steps.switchOff)}>Switch off</Button>}
      {isWebhook && !managedByEnvironment && (
        <Button icon="key" onClick={() => ask(steps.rotate)}>
          Rotate secret
        </Button>
      )}
      {!managedByEnvironment && (
        <Button
          look="danger"
          icon="trash"
          disabled={isDefault}
          data-tip={isDefault ? 'Remove it as default first' : undefined}
          onClick={() => ask(steps.remove)}
        >
          Delete
        </Button>
      )}
      {editing && <EditChannel channel={channel} onClose={() => setEditing(false)} />}
      {asked !== null && (
        <Confirm
          title={asked.title}
          action={asked.action}
          danger={asked.danger ?? false}
          busy={acting.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => acting.mutate(asked)}
        >
          <p>{asked.text}</p>
          <FormError text={acting.error === null ? undefined : messageOf(acting.error)} />
        </Confirm>
      )}
    </>
  )
}

function stepsOf(channel: Channel, onSecret: (text: string) => void) {
  const { id, name } = channel
  return {
    makeDefault: {
      title: `Make ${name} the default channel?`,
      action: 'Make default',
      text: `Every message whose occasion names no channel goes to ${name} from now on.`,
      run: () => changeChannel(channel, { isDefault: true }),
      done: `${name} is the default channel.`,
    },
    endDefault: {
      title: `Remove ${name} as the default channel?`,
      action: 'Remove',
      text: 'Messages whose occasion names no channel go to the default channel before it, else to the inbox. Where there is neither, they wait.',
      run: () => changeChannel(channel, { isDefault: false }),
      done: `${name} is not the default channel any more.`,
    },
    switchOff: {
      title: `Switch off ${name}?`,
      action: 'Switch off',
      danger: true,
      text: 'Its messages fail when they are due. After you switch it on, you can send them again from Failures.',
      run: () => switchChannel(id, 'disable'),
    },
    rotate: {
      title: `Rotate the secret of ${name}?`,
      action: 'Rotate',
      text: 'Deliveries will carry two signatures, with the new and the old secret. The old secret expires in 24 hours: update your receiver before then.',
      run: () => rotateSecret(id).then(({ secret }) => secret !== null && onSecret(secret)),
    },
    remove: {
      title: `Delete ${name}?`,
      action: 'Delete',
      danger: true,
      text: 'Its settings and secrets are deleted. Messages already sent stay in the history. This can’t be undone.',
      run: () => deleteChannel(id),
      done: `Channel “${name}” deleted.`,
    },
  } satisfies Record<string, Step>
}
