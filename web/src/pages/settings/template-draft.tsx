// The editor of one template, with a live preview. A template that was changed meanwhile is not overwritten.
import { useState } from 'react'
import { messageOf, problemOf, statusOf } from '../../api/client.ts'
import { KEYS } from '../../api/query-keys.ts'
import { deleteTemplate, saveTemplate } from '../../api/settings.ts'
import type { OccasionType, Template } from '../../api/settings-types.ts'
import type { User } from '../../api/types.ts'
import { typeText } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Note, Panel } from '../../ui/panel.tsx'
import { Preview, usePreview } from './template-preview.tsx'

export type Address = { type: string; language: string | null }

function unsavedText(builtInText: string | null, isInUse: boolean): string {
  if (builtInText !== null) return 'Using the built-in text'
  return isInUse ? 'Messages of this type fail until it has a template' : 'Not saved yet'
}

export function addressText({ type, language }: Address): string {
  return `${typeText(type)}${language === null ? '' : `, ${language}`}`
}

type DraftProps = { at: Address; stored: Template | undefined; inUse: OccasionType | undefined }

export function Draft({ at, stored, inUse }: DraftProps) {
  const builtInText = inUse?.builtInText ?? null
  const [body, setBody] = useState(stored?.body ?? builtInText ?? '')
  const [subject, setSubject] = useState(stored?.subject ?? '')
  const [person, setPerson] = useState<User | null>(null)
  /** The version that the draft began with. A later one is somebody else's. */
  const [version, setVersion] = useState(stored?.version ?? 0)
  const refetches = [KEYS.templates]
  const begin = (from: Template | undefined) => {
    setBody(from?.body ?? builtInText ?? '')
    setSubject(from?.subject ?? '')
    setVersion(from?.version ?? 0)
  }
  const preview = usePreview({ type: at.type, body, subject, userId: person?.id })
  const saving = useAction(() => saveTemplate(at, { body, subject: subject || null }, version), {
    says: 'Saved. New messages use it within seconds.',
    showsError: true,
    refetches,
    onSuccess: (template) => setVersion(template.version),
  })
  const deleting = useAction(() => deleteTemplate(at), {
    says: 'Template deleted.',
    refetches,
    onSuccess: () => begin(undefined),
  })
  const isOutdated = statusOf(saving.error) === 412 || (stored?.version ?? 0) > version
  const wrong = isOutdated ? preview.error : (saving.error ?? preview.error)
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
          {isOutdated && (
            <Note>
              <p className="mb-2">
                This template was changed meanwhile. Reload it to continue. Your text here is replaced: copy
                it first if you need it.
              </p>
              <Button
                icon="again"
                onClick={() => {
                  saving.reset()
                  begin(stored)
                }}
              >
                Reload
              </Button>
            </Note>
          )}
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
              disabled={isSame || body === '' || isBroken || isOutdated}
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
