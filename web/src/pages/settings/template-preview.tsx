// Preview of a template for a person, as webhook text and as email.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { previewTemplate } from '../../api/settings.ts'
import type { Rendered } from '../../api/settings-types.ts'
import type { User } from '../../api/types.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { Choices } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PersonSearch } from '../people/person-search.tsx'

export function usePreview({
  type,
  body,
  subject,
  userId,
}: {
  type: string
  body: string
  subject: string
  userId: string | undefined
}) {
  const trial = {
    type,
    body,
    subject: subject === '' ? null : subject,
    ...(userId !== undefined && { userId }),
  }
  const asked = useDebounced(JSON.stringify(trial), 250)
  return useQuery({
    queryKey: ['rendered', asked],
    queryFn: ({ signal }) => previewTemplate(JSON.parse(asked), signal),
    enabled: body !== '',
    placeholderData: keepPreviousData,
    retry: false,
    meta: { live: false },
  })
}

type PreviewProps = {
  rendered: Rendered | undefined
  isStale: boolean
  person: User | null
  onPerson: (user: User) => void
}

export function Preview({ rendered, isStale, person, onPerson }: PreviewProps) {
  const [form, setForm] = useState<'message' | 'html'>('message')
  return (
    <Panel
      title="Preview"
      aside={
        <Choices
          label="Format"
          value={form}
          onChange={setForm}
          choices={{ message: 'Webhook', html: 'Email' }}
        />
      }
    >
      <div className={`space-y-3 ${isStale ? 'opacity-60' : ''}`}>
        <PersonSearch
          label="Preview as"
          chosen={person === null ? 'Sample person (Ada Lovelace)' : fullName(person)}
          onPick={onPerson}
        />
        {rendered === undefined ? (
          <p className="text-soft">The preview appears here.</p>
        ) : form === 'message' ? (
          <p className="whitespace-pre-wrap rounded-md border border-line bg-ground p-4 font-serif text-lg">
            {rendered.message}
          </p>
        ) : (
          <>
            <p>
              <span className="text-soft">Subject:</span>{' '}
              <span className="font-medium">{rendered.subject}</span>
            </p>
            <iframe
              title="Email preview"
              sandbox=""
              srcDoc={rendered.html}
              className="h-48 w-full rounded-md border border-line bg-white"
            />
            <p className="text-soft text-xs">Styles inside the email are not applied in this preview.</p>
          </>
        )}
      </div>
    </Panel>
  )
}
