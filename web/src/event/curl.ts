// A delivery as a command for a shell.

export function curlOf({ url, key, body }: { url: string; key: string; body: string }): string {
  const address = url.startsWith('$') ? `"${url}"` : quoted(url)
  return [
    `curl -X POST ${address}`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`X-Idempotency-Key: ${key}`)}`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** Within single quotes a shell reads nothing but the next single quote. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
