// Prints what a tier has run as one table: the name, the result, the seconds, and the command that repeats a failure.
export type Row = { name: string; result: string; seconds: number; repeat?: string }

export function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const results = Math.max(...rows.map(({ result }) => result.length))
  return rows
    .map(({ name, result, seconds, repeat }) =>
      [name.padEnd(width), result.padEnd(results), `${seconds.toFixed(0).padStart(5)} s`, repeat ?? '']
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const inMinutes = (seconds: number) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
