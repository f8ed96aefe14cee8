// A delivery as a curl command.

export function curlOf({ url, key, body }: { url: string; key: string; body: string }): string {
  const address = url.startsWith('$') ? `"${url}"` : quoted(url)
  return [
    `curl -X POST ${address}`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`X-Idempotency-Key: ${key}`)}`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** Within single quotes only the single quote is special to a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
