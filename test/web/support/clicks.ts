// Counts the clicks of a walk through the dashboard.
import type { Page } from 'playwright-core'

/** To choose from a select takes two clicks: one opens it, one chooses. */
const COUNTER = `clicks = 0
addEventListener('pointerdown', () => clicks++, true)
addEventListener('change', ({ target }) => { if (target.tagName === 'SELECT') clicks += 2 }, true)`

/** Starts at zero. The returned function reads the counter, which a reload of the page would end. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(COUNTER)
  return () => page.evaluate('clicks')
}
