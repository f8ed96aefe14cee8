// Template editor with a live preview.
import { useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { KEYS } from '../../api/query-keys.ts'
import { deleteTemplate, saveTemplate, useOccasionTypes, useTemplates } from '../../api/settings.ts'
import type { OccasionType, Template } from '../../api/settings-types.ts'
import type { User } from '../../api/types.ts'
import { typeCode, typeText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'
import { Preview, usePreview } from './template-preview.tsx'

type Address = { type: string; language: string | null }

export function Templates() {
  const templates = useTemplates()
  const types = useOccasionTypes()
  return (
    <Loaded query={templates} rows={5}>
      {({ items }) => (
        <Loaded query={types} rows={5}>
          {(inUse) => <Editor templates={items} types={inUse.items} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function byAddress(a: Address, b: Address): number {
  return a.type.localeCompare(b.type) || (a.language ?? '').localeCompare(b.language ?? '')
}

function unsavedText(builtInText: string | null, isInUse: boolean): string {
  if (builtInText !== null) return 'Using the built-in text'
  return isInUse ? 'Messages of this type fail until it has a template' : 'Not saved yet'
}

function addressText({ type, language }: Address): string {
  return `${typeText(type)}${language === null ? '' : `, ${language}`}`
}

type EditorProps = { templates: readonly Template[]; types: readonly OccasionType[] }

function Editor({ templates, types }: EditorProps) {
  const [at, setAt] = useState<Address>(() => templates[0] ?? { type: 'BIRTHDAY', language: null })
  const stored = templates.find(({ type, language }) => type === at.type && language === at.language)
  const withoutOwn = types.filter(
    (inUse) => !templates.some(({ type, language }) => type === inUse.type && language === null),
  )
  const listed = [...templates, ...withoutOwn.map(({ type }) => ({ type, language: null }))].sort(byAddress)
  const inUse = types.find(({ type }) => type === at.type)
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
      <Draft key={`${at.type} ${at.language} ${stored?.version}`} at={at} stored={stored} inUse={inUse} />
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

type DraftProps = { at: Address; stored: Template | undefined; inUse: OccasionType | undefined }

function Draft({ at, stored, inUse }: DraftProps) {
  const builtInText = inUse?.builtInText ?? null
  const [body, setBody] = useState(stored?.body ?? builtInText ?? '')
  const [subject, setSubject] = useState(stored?.subject ?? '')
  const [person, setPerson] = useState<User | null>(null)
  const refetches = [KEYS.templates]
  const preview = usePreview({ type: at.type, body, subject, userId: person?.id })
  const saving = useAction(() => saveTemplate(at, { body, subject: subject === '' ? null : subject }), {
    says: 'Saved. New messages use it within seconds.',
    showsError: true,
    refetches,
  })
  const deleting = useAction(() => deleteTemplate(at), { says: 'Template deleted.', refetches })
  const wrong = saving.error ?? preview.error
  const isSame = stored !== undefined && stored.body === body && (stored.subject ?? '') === subject
  const isBroken = (problemOf(preview.error, 'body') ?? problemOf(preview.error, 'subject')) !== undefined
  const fieldProblem = problemOf(wrong, 'body') ?? problemOf(wrong, 'subject')
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel
        title={addressText(at)}
        aside={
          stored === undefined ? (
            unsavedText(builtInText, inUse !== undefined)
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
            onChange={({ target }) => {
              setBody(target.value)
              saving.reset()
            }}
            problem={problemOf(wrong, 'body')}
            hint="{{ firstName }}, {{ lastName }}, {{ age }}, {{ years }}, {{ localDate }}, {{ belated }}, {{ title }}, …"
          />
          <Input
            label="Email subject (optional)"
            value={subject}
            onChange={({ target }) => {
              setSubject(target.value)
              saving.reset()
            }}
            problem={problemOf(wrong, 'subject')}
          />
          <FormError text={wrong === null || fieldProblem !== undefined ? undefined : messageOf(wrong)} />
          <div className="flex justify-between gap-2">
            {stored === undefined ? (
              <span />
            ) : (
              <DeleteButton
                wide
                label="Delete"
                title={`Delete the template ${addressText(at)}?`}
                busy={deleting.isPending}
                onConfirm={() => deleting.mutate()}
              >
                <p>Later messages use the template without a language or the built-in text.</p>
              </DeleteButton>
            )}
            <Button
              look="primary"
              disabled={isSame || body === '' || isBroken}
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
