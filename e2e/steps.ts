import { expect, type Locator, type Page } from '@playwright/test'
import type { Source } from '#contract/models.ts'
import type { Language } from '#contract/preferences.ts'
import type { Messages } from '#web/i18n/dictionary.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import type { Account } from './startPortal.ts'

/** What administrators alone are shown, or in place of everybody's words. */
export const ADMIN_TEXTS = await inAllLanguages(language => LANGUAGE_ENTRIES[language].areas.admin())

/** The page's texts, so that improving a wording breaks no test. Where both have one, it is everybody's. */
export const TEXTS = await inAllLanguages(async (language): Promise<Required<Messages>> => {
  const { load, areas } = LANGUAGE_ENTRIES[language]
  const parts = await Promise.all(Object.values(areas).map(area => area()))
  return Object.assign({}, ...parts, await load())
})

async function inAllLanguages<T>(textsOf: (language: Language) => Promise<T>): Promise<Record<Language, T>> {
  return { 'zh-CN': await textsOf('zh-CN'), 'en-US': await textsOf('en-US'), 'ms-MY': await textsOf('ms-MY') }
}

export async function signInOn(
  page: Page,
  { username, password }: Pick<Account, 'username' | 'password'>,
): Promise<void> {
  await page.getByTestId('username').fill(username)
  await page.getByTestId('password').fill(password)
  await page.getByTestId('sign-in').click()
}

export async function signOutOn(page: Page): Promise<void> {
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: zhCN['userMenu.logout'] }).click()
  await page.getByRole('dialog').getByRole('button', { name: zhCN['logout.verb'] }).click()
}

type DialogOfMenu =
  | 'userMenu.profile'
  | 'userMenu.files'
  | 'userMenu.resetPassword'
  | 'userMenu.preferences'
  | 'shortcuts.title'

export async function openDialog(page: Page, language: Language, item: DialogOfMenu): Promise<Locator> {
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: TEXTS[language][item] }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return dialog
}

/** Begins a conversation with a source and a model of one's choice. */
export async function newConversation(page: Page, { source, model }: { source: Source; model: string }): Promise<void> {
  await page.getByTestId('new-conversation').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('new-conversation-source').locator(`input[value=${source}]`).check()
  await dialog.getByTestId('new-conversation-model').locator(`input[value=${model}]`).check()
  await dialog.getByTestId('new-conversation-confirm').click()
  await expect(dialog).toBeHidden()
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('send').click()
}

export function questions(page: Page): Locator {
  return page.locator('[data-testid=message][data-role=user]')
}

export function answers(page: Page): Locator {
  return page.locator('[data-testid=message][data-role=assistant]')
}

/** Milliseconds; longer than the longest answer of a journey takes. */
const MAX_ANSWER = 30_000

/** Waits until the answer is complete and nothing is awaited. */
export async function untilAnswered(page: Page, count = 1): Promise<void> {
  await expect(answers(page)).toHaveCount(count)
  await expect(page.getByTestId('stop')).toBeHidden({ timeout: MAX_ANSWER })
}

/** Waits until the latest answer has some text and is still growing. */
export async function untilGrowing(page: Page): Promise<void> {
  await expect(answers(page).last()).toHaveText(/\S/)
  await expect(page.getByTestId('stop')).toBeVisible()
}

/** Waits until the latest answer has become longer. */
export async function seeItGrow(page: Page): Promise<void> {
  await untilGrowing(page)
  const seen = await lengthOf(answers(page).last())
  await expect.poll(() => lengthOf(answers(page).last())).toBeGreaterThan(seen)
}

async function lengthOf(answer: Locator): Promise<number> {
  return (await answer.innerText()).length
}

export function conversationId(page: Page): string {
  return new URL(page.url()).searchParams.get('id') ?? ''
}

/** Numbered words, so that a missing or doubled one is noticed. */
export function countedWords(count: number, letter = 'w'): string {
  return Array.from({ length: count }, (_, at) => `${letter}${at}`).join(' ')
}

/** A question to which the simulator answers with the same words at this pace. */
export function echo(text: string, tokens_per_second: number): string {
  return `${text}\n/simulate echo pace=${tokens_per_second}`
}
