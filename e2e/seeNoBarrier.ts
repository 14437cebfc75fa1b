import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = Parameters<AxeBuilder['options']>[0]

/** Of WCAG 2.2 AA what is not looked at by itself: the size of what is pressed, and that who says what is written on it means it. */
const FURTHER: Options = { rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } } }

/** Looks at what is on the page as somebody who cannot see it, hear it or use a mouse would meet it: WCAG 2.2 AA as far as a program can judge. */
export async function seeNoBarrier(page: Page, where = '', options: Options = FURTHER): Promise<void> {
  // While one screen takes the place of another, what is looked at is gone before it is judged.
  await expect(page.locator('first-paint')).toHaveCount(0)
  // It brings Playwright's types along in a version of its own.
  const { violations } = await new AxeBuilder({ page: page as never }).options(options).analyze()
  const barriers = violations.filter(({ impact, tags }) => impact === 'serious' || impact === 'critical' || tags.some(tag => /^wcag2\d*a{1,2}$/.test(tag)))
  expect.soft(barriers.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)), where).toEqual([])
}
