import { expect, type Page } from '@playwright/test'

/**
 * Holds the page's scripts back, so that only the first paint is shown, as on a slow device. Returns a function that
 * releases them.
 */
export function holdScripts(page: Page): Promise<() => void> {
  return hold(page, /\/assets\/shell-[^/]+\.js$/)
}

/** Holds the page's styles back, without which nothing is painted. Returns a function that releases them. */
export function holdStyles(page: Page): Promise<() => void> {
  return hold(page, /\/assets\/style-[^/]+\.css$/)
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

/** The bounding box of each element by its selector. */
export async function boundingBoxes(page: Page, names: string[]): Promise<unknown> {
  return Promise.all(names.map(async name => [name, await page.locator(name).first().boundingBox()]))
}
