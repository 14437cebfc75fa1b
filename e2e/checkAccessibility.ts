import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = Parameters<AxeBuilder['options']>[0]

const CONTRAST = 'color-contrast'

/** Rules of WCAG 2.2 AA that axe does not run by default: target size, and label in name. */
const FURTHER = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } }

const WORDING = [
  'aria-command-name',
  'aria-dialog-name',
  'aria-input-field-name',
  'aria-meter-name',
  'aria-progressbar-name',
  'aria-tab-name',
  'aria-toggle-field-name',
  'aria-tooltip-name',
  'aria-treeitem-name',
  'button-name',
  'document-title',
  'empty-heading',
  'empty-table-header',
  'frame-title',
  'html-has-lang',
  'html-lang-valid',
  'image-alt',
  'image-redundant-alt',
  'input-button-name',
  'input-image-alt',
  'label',
  'label-content-name-mismatch',
  'label-title-only',
  'landmark-unique',
  'link-name',
  'object-alt',
  'role-img-alt',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
  'svg-img-alt',
  'table-duplicate-name',
  'target-size',
  'valid-lang',
]

/** Checks the page with axe for WCAG 2.2 AA, as far as a program can judge it. */
export function checkAccessibility(page: Page, where = ''): Promise<void> {
  return check(page, where, { rules: FURTHER })
}

/**
 * Checks what a language can change of a page that is checked whole in another one: names, texts, and what depends on
 * how much room they take.
 */
export function checkWording(page: Page, where = ''): Promise<void> {
  return check(page, where, { runOnly: WORDING })
}

/** Themes differ in colours alone. */
export function checkContrast(page: Page, where = ''): Promise<void> {
  return check(page, where, { runOnly: [CONTRAST] })
}

/**
 * What AxeBuilder runs in place of axe, which it would send and run twice for each check, where the page has it
 * already.
 */
const NOTHING = ';'

async function check(page: Page, where: string, options: Options): Promise<void> {
  // Waits for the handoff from the first paint, during which elements disappear under axe.
  await expect(page.locator('first-paint')).toHaveCount(0)
  const hasAxe = await page.evaluate(() => 'axe' in window)
  // axe is typed against its own version of Playwright. The page has no frames of others, for which each check would
  // open a page of its own.
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
