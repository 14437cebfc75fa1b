import { expect, type Page } from '@playwright/test'
import { TEXTS } from './steps.ts'

const KEYS = Object.keys(TEXTS['zh-CN'])

/** All texts of the page that are visible or read aloud. */
async function wordsOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].flatMap(element =>
      ['aria-label', 'title', 'placeholder', 'alt'].map(name => element.getAttribute(name) ?? ''),
    )
    // Code, and placeholders in paths, are the same in every language.
    const code = [...document.querySelectorAll('code, pre')].map(element => element.textContent)
    const shown = code.reduce((text, part) => text.replaceAll(part, ''), document.body.innerText)
    return [document.title, shown, ...spoken].join('\n')
  })
}

/** No key in place of its text, and no text with an unfilled placeholder. */
export async function checkTexts(page: Page, where = ''): Promise<void> {
  const words = await wordsOn(page)
  expect
    .soft(
      KEYS.filter(key => words.includes(key)),
      where,
    )
    .toEqual([])
  expect.soft(words.match(/\{[a-z_]+\}/g) ?? [], where).toEqual([])
}
