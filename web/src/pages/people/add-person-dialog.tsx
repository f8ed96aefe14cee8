// The dialog that adds a person and then opens them. The form is loaded on first use, so that lists are light.
import { lazy, Suspense } from 'react'
import { navigate } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'

const AddPerson = lazy(() => import('./add-person.tsx').then((module) => ({ default: module.AddPerson })))

export function AddPersonDialog({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Suspense>
      <Dialog title={title} onClose={onClose}>
        <AddPerson
          onClose={onClose}
          onAdded={({ id, firstName }) => {
            onClose()
            notify(`${firstName} added.`)
            navigate(`people/${id}`)
          }}
        />
      </Dialog>
    </Suspense>
  )
}
