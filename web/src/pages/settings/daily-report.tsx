// Where the report of each closed day goes.
import { type FormEvent, useState } from 'react'
import { problemOf } from '../../api/client.ts'
import { setReportTarget, useReportTarget } from '../../api/ledger.ts'
import { KEYS } from '../../api/query-keys.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'

export function DailyReport() {
  const target = useReportTarget()
  return (
    <Panel title="Daily report">
      <Loaded query={target} rows={2}>
        {({ to, setBy }) =>
          setBy === 'environment' ? (
            <p className="text-soft">
              Sent to {to}, as REPORT_TO in the environment says. Change it where the server is started.
            </p>
          ) : (
            <Form key={to} to={to ?? ''} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Form({ to }: { to: string }) {
  const [text, setText] = useState(to)
  const saving = useAction(() => setReportTarget(text.trim() || null), {
    showsError: true,
    refetches: [KEYS.reportTarget],
    says: () =>
      text.trim() === '' ? 'No report is sent.' : 'Saved. Days closed in the last 24 hours are reported now.',
  })
  const problem = problemOf(saving.error, 'to')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-3">
      <Input
        label="Send to"
        placeholder="ops@example.com"
        hint="An e-mail address, or the name of a webhook channel. One message for each day, also when all is well."
        value={text}
        onChange={({ target }) => setText(target.value)}
        problem={problem}
      />
      {problem === undefined && saving.error !== null && <FormError text={saving.error.message} />}
      <Button type="submit" busy={saving.isPending} disabled={text.trim() === to}>
        Save
      </Button>
    </form>
  )
}
