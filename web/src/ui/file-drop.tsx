// A CSV file, dropped or chosen. Reads it in the browser.
import { type DragEvent, useEffect, useId, useState } from 'react'

export type TextFile = { name: string; text: string }

async function readFile(file: File): Promise<TextFile> {
  return { name: file.name, text: await file.text() }
}

type FileDropProps = { onFile: (file: TextFile) => void; children: string }

export function FileDrop({ onFile, children }: FileDropProps) {
  const [over, setOver] = useState(false)
  const id = useId()
  const take = async (file: File | undefined) => {
    if (file !== undefined) onFile(await readFile(file))
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

/** Takes a file that is dropped anywhere on the page. True while one is dragged over it. */
export function usePageDrop(onFile: (file: TextFile) => void): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const isOurs = (event: globalThis.DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true && document.querySelector('dialog[open]') === null
    const onOver = (event: globalThis.DragEvent) => {
      if (!isOurs(event)) return
      event.preventDefault()
      setOver(true)
    }
    // The pointer also leaves one element when it enters another; without an element it leaves the window.
    const onLeave = (event: globalThis.DragEvent) => event.relatedTarget === null && setOver(false)
    const onDrop = (event: globalThis.DragEvent) => {
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (!isOurs(event) || file === undefined) return
      event.preventDefault()
      void readFile(file).then(onFile)
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [onFile])
  return over
}
