import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = Parameters<AxeBuilder['options']>[0]

const CONTRAST = 'color-contrast'

/** Rules of WCAG 2.2 AA that axe does not run by default: target size, and label in name. */
const FURTHER = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } }

/** Checks the page with axe for WCAG 2.2 AA, as far as a program can judge it. */
export function checkAccessibility(page: Page, where = ''): Promise<void> {
  return check(page, where, { rules: FURTHER })
}

/** Colours are the same in all languages, and take axe longer than everything else: without them, for a page that is checked with them elsewhere. */
export function checkAllButContrast(page: Page, where = ''): Promise<void> {
  return check(page, where, { rules: { ...FURTHER, [CONTRAST]: { enabled: false } } })
}

/** Themes differ in colours alone. */
export function checkContrast(page: Page, where = ''): Promise<void> {
  return check(page, where, { runOnly: [CONTRAST] })
}

/** What AxeBuilder runs in place of axe, which it would send and run twice for each check, where the page has it already. */
const NOTHING = ';'

async function check(page: Page, where: string, options: Options): Promise<void> {
  // Waits for the handoff from the first paint, during which elements disappear under axe.
  await expect(page.locator('first-paint')).toHaveCount(0)
  const hasAxe = await page.evaluate(() => 'axe' in window)
  // axe is typed against its own version of Playwright. The page has no frames of others, for which each check would open a page of its own.
  const { violations } = await new AxeBuilder({ page: page as never, ...(hasAxe && { axeSource: NOTHING }) })
    .setLegacyMode()
    // Of what is in order axe would describe each element.
    .options({ ...options, resultTypes: ['violations'] })
    .analyze()
  const barriers = violations.filter(
    ({ impact, tags }) =>
      impact === 'serious' || impact === 'critical' || tags.some(tag => /^wcag2\d*a{1,2}$/.test(tag)),
  )
  expect
    .soft(
      barriers.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)),
      where,
    )
    .toEqual([])
}
