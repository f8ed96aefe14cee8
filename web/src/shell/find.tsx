// Finds pages, people and messages from any page, by the keyboard alone.

import { useState } from 'react'
import { parseUuid } from '../../../src/domain/events/uuid.ts'
import { fullName } from '../../../src/domain/users/full-name.ts'
import { useEvents } from '../api/events.ts'
import { useEventsOfUser, usePeople } from '../api/people.ts'
import type { EventFilter, Session } from '../api/types.ts'
import { cityOf, dateText, retryText, typeText } from '../clock/format.ts'
import { navigate, SETTINGS_TABS, type SettingsTab } from '../router.tsx'
import { OptionList, useCombobox } from '../ui/combobox.tsx'
import { useDebounced } from '../ui/debounced.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { statusWord } from '../ui/status.tsx'
import { entriesOf } from './pages.ts'

/** What a search finds: an address of the dashboard, its name, and what it is. */
type Found = { to: string; text: string; about: string }

/** What a tab of the settings has, for a search by another word than its name. */
const IN_SETTINGS: Record<SettingsTab, string> = {
  channels: 'webhook, e-mail, secret, hold',
  templates: 'text, language, preview',
  keys: 'API keys, sign out everywhere',
  audit: 'audit log',
  environment: 'variables',
  time: 'send time, time zone data',
}

export function Find({ session, onClose }: { session: Session; onClose: () => void }) {
  const [text, setText] = useState('')
  const box = useCombobox()
  const typed = text.trim()
  const search = useDebounced(typed)
  const people = usePeople({ search }, { limit: 5, enabled: search !== '' })
  const isCurrent = search === typed && !people.isPlaceholderData
  const found = typed !== '' && isCurrent ? (people.data?.items ?? []) : []
  const first = found[0]
  const ofFirst = { limit: 3, newest: true, enabled: first !== undefined }
  const messages = useEventsOfUser(first?.id ?? '', ofFirst).data?.items ?? []
  const id = idFilter(typed)
  const byId = useEvents(id ?? {}, { enabled: id !== null, live: false })
  const options: Found[] = [
    ...pagesOf(session).filter(({ text, about }) =>
      `${text} ${about}`.toLowerCase().includes(typed.toLowerCase()),
    ),
    ...found.map(({ id, timezone, ...user }) => ({
      to: `people/${id}`,
      text: fullName(user),
      about: `person, ${cityOf(timezone)}`,
    })),
    ...[...messages, ...(byId.data?.items ?? [])].map((event) => ({
      to: `event/${event.id}`,
      text: `${fullName(event)}: ${typeText(event.eventType)}, ${dateText(event.targetTimestampLocal)}${retryText(event.occurrence)}`,
      about: `message, ${statusWord(event.status)}`,
    })),
  ]
  const go = ({ to }: Found) => {
    onClose()
    navigate(to)
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <div>
        <Input
          label="A page, a person, a message or its id"
          maxLength={100}
          value={text}
          {...box.inputProps(options)}
          onFocus={() => box.open(0)}
          // One Escape closes the dialog with its list.
          onKeyDown={(event) => event.key !== 'Escape' && box.onKey(event, options, go)}
          onChange={({ target }) => {
            setText(target.value)
            box.open(0)
          }}
        />
        <OptionList
          box={box}
          label="Found"
          options={box.isOpen ? options : []}
          keyOf={({ to }) => to}
          choose={go}
        >
          {({ text, about }) => (
            <>
              <bdi className="truncate">{text}</bdi>
              <span className="shrink-0 text-soft">{about}</span>
            </>
          )}
        </OptionList>
        <p aria-live="polite" className="mt-2 text-soft empty:hidden">
          {isCurrent && !people.isFetching && !byId.isFetching && options.length === 0 && 'Nothing found.'}
        </p>
      </div>
    </Dialog>
  )
}

function pagesOf(session: Session): Found[] {
  return [
    ...entriesOf(session).map(({ page, label }) => ({ to: page, text: label, about: 'page' })),
    ...SETTINGS_TABS.map((tab) => ({
      to: `settings/${tab}`,
      text: `Settings: ${typeText(tab).toLowerCase()}`,
      about: IN_SETTINGS[tab],
    })),
  ]
}

/** The id of an event, or an idempotency key; null for other text. The search for a key reads many pages. */
function idFilter(text: string): EventFilter | null {
  const lower = text.toLowerCase()
  if (/^event-[0-9a-f]{32}$/.test(lower)) return { idempotencyKey: lower }
  return parseUuid(lower) === null ? null : { id: lower }
}
