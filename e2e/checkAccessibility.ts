import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = Parameters<AxeBuilder['options']>[0]

/** Rules of WCAG 2.2 AA that axe does not run by default: target size, and label in name. */
const FURTHER: Options = {
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
}

/** Checks the page with axe for WCAG 2.2 AA, as far as a program can judge it. */
export async function checkAccessibility(page: Page, where = '', options: Options = FURTHER): Promise<void> {
  // Waits for the handoff from the first paint, during which elements disappear under axe.
  await expect(page.locator('first-paint')).toHaveCount(0)
  // axe is typed against its own version of Playwright.
  const { violations } = await new AxeBuilder({ page: page as never }).options(options).analyze()
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
