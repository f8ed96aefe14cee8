// The notice on every page that shows events: which channels do not send, and how many messages wait.
import { useSession } from '../api/session.ts'
import { switchChannel } from '../api/settings.ts'
import { useToday } from '../api/today.ts'
import type { Today } from '../api/types.ts'
import { count } from '../clock/format.ts'
import { Link } from '../router.tsx'
import { useAction } from '../ui/action.ts'
import { Button, buttonClass } from '../ui/button.tsx'

type StoppedChannel = Today['stoppedChannels'][number]

export function StoppedChannels() {
  const session = useSession().data
  const stopped = useToday().data?.stoppedChannels ?? []
  const resuming = useAction((id: string) => switchChannel(id, 'resume'), {
    says: ({ name }) => `${name} resumed. Its messages are sent now.`,
  })
  if (stopped.length === 0) return null
  const mayResume = session?.open === true || session?.scope === 'admin'
  return (
    <ul aria-label="Stopped channels" className="mb-4 space-y-2">
      {stopped.map((channel) => (
        <li
          key={channel.id}
          className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-failed/40 bg-failed-wash px-4 py-3"
        >
          <p>
            Channel <span className="font-medium">{channel.name}</span> is {stateText(channel)}.{' '}
            <span className="text-soft">{effectText(channel)}</span>
          </p>
          {mayResume && (
            <div className="flex flex-wrap gap-1">
              <Link to="settings/channels" className={buttonClass('quiet')}>
                Settings → Channels
              </Link>
              <Button busy={resuming.isPending} icon="play" onClick={() => resuming.mutate(channel.id)}>
                Resume
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** `paused: HTTP 401` */
function stateText({ status, statusReason }: StoppedChannel): string {
  const isByHand = statusReason === null || statusReason === 'BY_HAND'
  return `${status.toLowerCase()}${isByHand ? '' : `: ${statusReason}`}`
}

function effectText({ status, waiting }: StoppedChannel): string {
  if (status === 'DISABLED') return 'Its messages fail when they are due.'
  if (waiting === 0) return 'Its messages wait until it is resumed.'
  return `${count(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'} until it is resumed.`
}
