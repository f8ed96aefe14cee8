// A CSV file, dropped or chosen. Reads it in the browser.
import { type DragEvent, useId, useState } from 'react'

type FileDropProps = { onText: (text: string, name: string) => void; children: string }

export function FileDrop({ onText, children }: FileDropProps) {
  const [over, setOver] = useState(false)
  const id = useId()
  const take = async (file: File | undefined) => {
    if (file !== undefined) onText(await file.text(), file.name)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`block cursor-pointer rounded-md border border-dashed px-3 py-4 text-center text-soft hover:border-accent hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-fill ${over ? 'border-accent bg-accent-wash text-ink' : 'border-line-strong'}`}
    >
      {children}
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        className="sr-only"
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
    </label>
  )
}
