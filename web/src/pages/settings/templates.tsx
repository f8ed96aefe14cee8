// Template editor with a live preview.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { KEYS } from '../../api/query-keys.ts'
import { deleteTemplate, saveTemplate, useTemplates } from '../../api/settings.ts'
import type { Template } from '../../api/settings-types.ts'
import type { User } from '../../api/types.ts'
import { typeCode, typeText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { Preview, usePreview } from './template-preview.tsx'

const BUILT_IN = "Hey, {{ firstName }} {{ lastName }} it's your birthday"
type Address = { type: string; language: string | null }

export function Templates() {
  const templates = useTemplates()
  return (
    <Loaded query={templates} rows={5}>
      {({ items }) => <Editor templates={items} />}
    </Loaded>
  )
}

function addressText({ type, language }: Address): string {
  return `${typeText(type)}${language === null ? '' : `, ${language}`}`
}

function Editor({ templates }: { templates: readonly Template[] }) {
  const [at, setAt] = useState<Address>(() => templates[0] ?? { type: 'BIRTHDAY', language: null })
  const stored = templates.find(({ type, language }) => type === at.type && language === at.language)
  const listed: Address[] = [...templates]
  if (!templates.some(({ type, language }) => type === 'BIRTHDAY' && language === null)) {
    listed.unshift({ type: 'BIRTHDAY', language: null })
  }
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="flex flex-wrap gap-1">
          {listed.map((one) => (
            <Button
              key={addressText(one)}
              look={one.type === at.type && one.language === at.language ? 'plain' : 'quiet'}
              aria-pressed={one.type === at.type && one.language === at.language}
              onClick={() => setAt(one)}
            >
              {addressText(one)}
            </Button>
          ))}
        </div>
        <NewAddress onAdd={setAt} />
      </div>
      <Draft key={`${at.type} ${at.language} ${stored?.version}`} at={at} stored={stored} />
    </div>
  )
}

function NewAddress({ onAdd }: { onAdd: (at: Address) => void }) {
  const [type, setType] = useState('')
  const [language, setLanguage] = useState('')
  return (
    <form
      className="flex flex-wrap items-end gap-2 md:ml-auto"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ type: typeCode(type) || 'BIRTHDAY', language: language.trim() || null })
        setType('')
        setLanguage('')
      }}
    >
      <div className="w-44">
        <Input
          label="Type"
          placeholder="Work anniversary"
          value={type}
          onChange={({ target }) => setType(target.value)}
        />
      </div>
      <div className="w-20">
        <Input
          label="Language"
          placeholder="all"
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        />
      </div>
      <Button type="submit" icon="plus">
        New template
      </Button>
    </form>
  )
}

function Draft({ at, stored }: { at: Address; stored: Template | undefined }) {
  const [body, setBody] = useState(stored?.body ?? (at.type === 'BIRTHDAY' ? BUILT_IN : ''))
  const [subject, setSubject] = useState(stored?.subject ?? '')
  const [person, setPerson] = useState<User | null>(null)
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: KEYS.templates })
  const preview = usePreview({ type: at.type, body, subject, userId: person?.id })
  const saving = useMutation({
    mutationFn: () => saveTemplate(at, { body, subject: subject === '' ? null : subject }),
    onSuccess: () => {
      notify('Saved. New messages use it within seconds.')
      void renew()
    },
  })
  const deleting = useMutation({
    mutationFn: () => deleteTemplate(at),
    onError: notifyError,
    onSettled: renew,
  })
  const wrong = saving.error ?? preview.error
  const isSame = stored !== undefined && stored.body === body && (stored.subject ?? '') === subject
  const fieldProblem = problemOf(wrong, 'body') ?? problemOf(wrong, 'subject')
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel
        title={addressText(at)}
        aside={
          stored === undefined ? (
            at.type === 'BIRTHDAY' ? (
              'Using the built-in text'
            ) : (
              'Not saved yet'
            )
          ) : (
            <>
              changed <Ago at={stored.updatedAt} />
            </>
          )
        }
      >
        <div className="space-y-3">
          <TextArea
            label="Message (Liquid)"
            rows={8}
            spellCheck={false}
            value={body}
            onChange={({ target }) => setBody(target.value)}
            problem={problemOf(wrong, 'body')}
            hint="{{ firstName }}, {{ lastName }}, {{ age }}, {{ years }}, {{ localDate }}, {{ belated }}, {{ title }}, …"
          />
          <Input
            label="Email subject (optional)"
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
            problem={problemOf(wrong, 'subject')}
          />
          {wrong !== null && fieldProblem === undefined && (
            <p role="alert" className="text-failed">
              {messageOf(wrong)}
            </p>
          )}
          <div className="flex justify-between gap-2">
            {stored === undefined ? (
              <span />
            ) : (
              <Button look="danger" icon="trash" busy={deleting.isPending} onClick={() => deleting.mutate()}>
                Delete
              </Button>
            )}
            <Button
              look="primary"
              disabled={isSame || body === ''}
              busy={saving.isPending}
              onClick={() => saving.mutate()}
            >
              Save
            </Button>
          </div>
        </div>
      </Panel>
      <Preview
        rendered={preview.data}
        isStale={preview.error !== null}
        person={person}
        onPerson={setPerson}
      />
    </div>
  )
}
