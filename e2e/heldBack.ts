import { expect, type Page } from '@playwright/test'

/** Delays the page's scripts, so that only the first paint is there, as on a slow device. Returns what lets them run. */
export function holdScripts(page: Page): Promise<() => void> {
  return hold(page, /\/assets\/shell-[^/]+\.js$/)
}

/** Delays the page's styles, without which nothing is painted. Returns what lets them come. */
export function holdStyles(page: Page): Promise<() => void> {
  return hold(page, /\/assets\/shell-[^/]+\.css$/)
}

async function hold(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(files, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

export async function untilHandoff(page: Page): Promise<void> {
  await expect(page.locator('first-paint')).toHaveCount(0)
}

/** Where on the screen each of these is. */
export async function boundingBoxes(page: Page, names: string[]): Promise<unknown> {
  return Promise.all(names.map(async name => [name, await page.locator(name).first().boundingBox()]))
}
