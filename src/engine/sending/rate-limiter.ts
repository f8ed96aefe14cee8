// How many may begin in a second: in none more than the rate says.

export type Rate = {
  /** When the next may begin. */
  freeAt(perSecond: number | null, now: number): number
  onBegin(perSecond: number | null, now: number): void
}

export function createRate(): Rate {
  /** When the latest began, as many of them as may in a second. */
  let begun: number[] = []

  return {
    freeAt(perSecond, now) {
      if (perSecond === null || begun.length < perSecond) return 0
      // After a clock was set back they lie ahead, and the next would wait until it is there again.
      const aheadMs = Math.max(0, begun.at(-1)! - now)
      if (aheadMs > 0) begun = begun.map((at) => at - aheadMs)
      return begun.at(-perSecond)! + 1000
    },

    onBegin(perSecond, now) {
      if (perSecond === null) return
      begun.push(now)
      if (begun.length > perSecond) begun.shift()
    },
  }
}
