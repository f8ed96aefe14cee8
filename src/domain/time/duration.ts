// Durations in ISO 8601.

/** Days, hours, minutes and seconds: `PT6H`, `P1DT12H`. Null for months and years: their length varies. */
export function parseDuration(text: string): number | null {
  const match = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/.exec(text)
  if (match === null || text.endsWith('T') || text === 'P') return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

/** `PT24H`, `PT1H30M`: in whole seconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('')
  return `PT${text || '0S'}`
}
