// Decodes the encoded-words of a header as a mail reader does (RFC 2047).

export function decodeWords(header: string): string {
  // White space between two encoded-words is not shown.
  return header
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(text, 'base64').toString()
      const bytes = text
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/gi, (_sign, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
      return Buffer.from(bytes, 'latin1').toString()
    })
}
