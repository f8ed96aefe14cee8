// Saves a text that the page made as a file.

export function downloadText(name: string, ...texts: string[]): void {
  // With a byte order mark: spreadsheets else do not read it as UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...texts], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
