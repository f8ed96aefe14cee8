// The templates, with an editor for one of them.
import { useState } from 'react'
import { useOccasionTypes, useTemplates } from '../../api/settings.ts'
import type { OccasionType, Template } from '../../api/settings-types.ts'
import { typeCode } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Loaded } from '../../ui/panel.tsx'
import { type Address, addressText, Draft } from './template-draft.tsx'

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
      <Draft key={`${at.type} ${at.language}`} at={at} stored={stored} inUse={inUse} />
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
