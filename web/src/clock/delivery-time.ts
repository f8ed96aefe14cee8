// Which minute of the local day messages go out at.

/** 540 of `09:00`. */
export function minuteOf(localTime: string): number {
  const [hours = 9, minutes = 0] = localTime.split(':').map(Number)
  return hours * 60 + minutes
}
