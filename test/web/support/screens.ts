// The screens that the dashboard is tested on: three widths, each in the light and the dark theme.
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'

export type Screen = { name: string; width: number; options: BrowserContextOptions }

export const SCREENS: readonly Screen[] = [1440, 1024, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${width} px, ${colorScheme}`,
    width,
    options: {
      viewport: { width, height: 900 },
      colorScheme,
      hasTouch: width < 768,
      // axe would measure the contrast of text that is still fading in.
      reducedMotion: 'reduce' as const,
    },
  })),
)

/** Follows a link of the navigation. A phone shows some of the links only after "More". */
export async function goTo(page: Page, label: string): Promise<void> {
  const link = page.getByRole('link', { name: label }).filter({ visible: true }).first()
  const more = page.getByRole('button', { name: 'More', exact: true }).filter({ visible: true })
  await link.or(more).first().waitFor()
  if (!(await link.isVisible())) await more.click()
  await link.click()
}

/**
 * Opens a page in the dashboard that is already loaded, as a link does: a third less CPU time, also because axe stays loaded. The
 * page in between unmounts the previous page, so that none of its content remains.
 */
export async function follow(page: Page, path: string): Promise<void> {
  const show = (next: string) => {
    const url = JSON.stringify(`/app/${next}`)
    return page.evaluate(`history.pushState(null, '', ${url}); dispatchEvent(new PopStateEvent('popstate'))`)
  }
  const notFound = page.getByRole('heading', { name: 'Page not found.' })
  await show('nowhere')
  await notFound.waitFor()
  await show(path)
  if (path !== 'nowhere') await notFound.waitFor({ state: 'detached' })
}

/** Runs a step for the readers of all screens at once. An error names its screen. */
export async function onEvery<R extends { name: string }>(
  readers: readonly R[],
  step: (reader: R) => Promise<void>,
): Promise<void> {
  const named = async (reader: R) => {
    try {
      await step(reader)
    } catch (error) {
      throw new Error(`On a screen of ${reader.name}`, { cause: error })
    }
  }
  await Promise.all(readers.map(named))
}

/** Everything that axe finds on the page as it is, by all rules or by one, and whether the page is wider than the screen. */
export async function faultsOf(page: Page, rule?: string): Promise<string[]> {
  const where = new URL(page.url()).pathname
  const options = { resultTypes: ['violations'], ...(rule !== undefined && { runOnly: [rule] }) }
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults
  const width = page.viewportSize()!.width
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${where}: ${id}: ${html}`)),
    ...(scrollWidth === width ? [] : [`${where}: ${scrollWidth} px wide`]),
  ]
}
