// Which minute of the local day messages go out at.

const NINE = 540

/** 540 of `09:00`. */
export function minuteOf(localTime: string): number {
  const [hours = 9, minutes = 0] = localTime.split(':').map(Number)
  return hours * 60 + minutes
}

/** `Nine` where it is, the digits where somebody chose another time. */
export function hourName(minute: number): string {
  const digits = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'))
  return minute === NINE ? 'Nine' : digits.join(':')
}
