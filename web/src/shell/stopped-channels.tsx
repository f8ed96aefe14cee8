// The notice on every page: which channels do not send, and how many messages wait.
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { useMayManage } from '../api/session.ts'
import { switchChannel } from '../api/settings.ts'
import { useToday } from '../api/today.ts'
import type { StoppedChannel } from '../api/types.ts'
import { useNowFor } from '../clock/now.ts'
import { Link } from '../router.tsx'
import { useAction } from '../ui/action.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { effectText, releaseText, stateText } from './stopped-text.ts'

export function StoppedChannels() {
  const mayRelease = useMayManage()
  const stopped = useToday().data?.stoppedChannels ?? []
  const releasing = useAction((id: string) => switchChannel(id, 'release'), {
    says: ({ name }) => `${name} sends its messages again.`,
  })
  if (stopped.length === 0) return null
  return (
    <ul aria-label="Stopped channels" className="mb-4 space-y-2">
      {stopped.map((channel) => (
        <li
          key={channel.id}
          className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-failed/40 bg-failed-wash px-4 py-3"
        >
          <Sentence channel={channel} />
          <div className="flex flex-wrap gap-1 empty:hidden">
            {channel.id === INBOX_CHANNEL && (
              <Link to="inbox" className={buttonClass('quiet')}>
                Inbox
              </Link>
            )}
            {mayRelease && (
              <Link to={`settings/channels?channel=${channel.id}`} className={buttonClass('quiet')}>
                Channel
              </Link>
            )}
            {mayRelease && channel.status !== 'DOWN' && (
              <Button busy={releasing.isPending} icon="play" onClick={() => releasing.mutate(channel.id)}>
                {releaseText(channel)}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Sentence({ channel }: { channel: StoppedChannel }) {
  const now = useNowFor(channel.nextProbeAt === null ? 0 : Date.parse(channel.nextProbeAt))
  return (
    <p>
      Channel <span className="font-medium">{channel.name}</span> {stateText(channel, now)}.{' '}
      <span className="text-soft">{effectText(channel, now)}</span>
    </p>
  )
}
