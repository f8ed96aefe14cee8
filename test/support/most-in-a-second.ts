// How many things happened within any second.

/** The most of these instants within any second. They are in order. */
export function mostInASecond(instants: readonly number[]): number {
  let first = 0
  return instants.reduce((most, at, i) => {
    while (instants[first]! <= at - 1_000) first += 1
    return Math.max(most, i - first + 1)
  }, 0)
}
