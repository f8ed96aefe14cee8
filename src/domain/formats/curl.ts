// A POST request as a curl command for a POSIX shell.

export function curlOf(request: {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const parts = [`curl -X POST ${quoted(request.url)}`, ...headers, `--data-raw ${quoted(request.body)}`]
  return parts.join(' \\\n  ')
}

/** Within single quotes only the single quote is special to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
