// First steps with an empty database: load demo people or add yourself. And the removal of demo people.
import { useState } from 'react'
import { loadDemo, removeDemo } from '../../api/today.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/panel.tsx'
import { AddPersonDialog } from '../people/add-person-dialog.tsx'

export function FirstRun() {
  const [adding, setAdding] = useState(false)
  const loading = useAction(loadDemo, { says: '24 demo people added. One message is due within a minute.' })
  return (
    <section className="rounded-lg border border-accent/40 bg-accent-wash px-5 py-5 md:px-7">
      <h2 className="font-serif text-xl">No people yet.</h2>
      <p className="mt-1 max-w-[62ch] text-soft">
        Load demo people from around the world and watch a message arrive within a minute, or add yourself.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" busy={loading.isPending} onClick={() => loading.mutate()}>
          Load 24 demo people
        </Button>
        <Button onClick={() => setAdding(true)}>Add yourself</Button>
      </div>
      {adding && <AddPersonDialog title="Add yourself" onClose={() => setAdding(false)} />}
    </section>
  )
}

export function DemoBadge() {
  const removing = useAction(removeDemo, { says: 'Demo people removed.' })
  return (
    <span className="inline-flex items-center gap-2 text-soft text-xs">
      <Badge tone="accent">demo</Badge> Demo data is loaded.
      <Button busy={removing.isPending} onClick={() => removing.mutate()}>
        Remove demo people
      </Button>
    </span>
  )
}
