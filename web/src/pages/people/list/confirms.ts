// The typed confirmation of a deletion.

/** The number, with or without separators, or the word. */
export function confirms(typed: string, n: number): boolean {
  const text = typed.trim().toLowerCase()
  return text === 'delete' || text.replaceAll(/[,.\s]/g, '') === String(n)
}
