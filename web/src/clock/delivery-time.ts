// The local time of day at which messages go out.

/** 540 for `09:00`. */
export function minuteOf(localTime: string): number {
  const [hours = 9, minutes = 0] = localTime.split(':').map(Number)
  return hours * 60 + minutes
}
