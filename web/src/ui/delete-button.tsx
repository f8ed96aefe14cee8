// A button that deletes after a confirmation.
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Confirm } from './dialog.tsx'

type DeleteButtonProps = {
  /** The accessible name of the button. */
  label: string
  title: string
  /** What is lost. */
  children: ReactNode
  action?: string
  busy?: boolean
  /** Shows the label as text instead of an icon. */
  wide?: boolean
  onConfirm: () => void
}

export function DeleteButton(props: DeleteButtonProps) {
  const { label, title, children, action = 'Delete', busy = false, wide = false, onConfirm } = props
  const [asking, setAsking] = useState(false)
  const ask = () => setAsking(true)
  return (
    <>
      {wide ? (
        <Button look="danger" icon="trash" busy={busy} onClick={ask}>
          {label}
        </Button>
      ) : (
        <IconButton label={label} icon="trash" disabled={busy} onClick={ask} />
      )}
      {asking && (
        <Confirm
          title={title}
          action={action}
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            onConfirm()
          }}
        >
          {children}
        </Confirm>
      )}
    </>
  )
}
