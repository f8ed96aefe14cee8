// The error of a form that concerns no single field.

export function FormError({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className="text-failed">
      {text}
    </p>
  )
}
