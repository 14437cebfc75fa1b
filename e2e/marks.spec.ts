import type { Page } from '@playwright/test'
import type { ConversationRecord } from '#contract/conversations.ts'
import { expect, test } from './journey.ts'
import { ask, countedWords, echo, TEXTS, untilGrowing } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const row = (page: Page, title: string) => page.getByTestId('conversation-row').filter({ hasText: title })

test('that there is a new answer outlives a reload, until somebody looks', async ({ chatPage, person }) => {
  await person.ask('hello', { new_title: '别的' })
  await chatPage.reload()
  await ask(chatPage, echo(`头一句 ${countedWords(40)}`, 10))
  await untilGrowing(chatPage)
  await row(chatPage, '别的').getByRole('link').click()
  await expect(chatPage.getByText(zhCN['conversations.answered'])).toBeVisible()
  await chatPage.reload()
  await expect(chatPage.getByText(zhCN['conversations.answered'])).toBeVisible()
  await row(chatPage, zhCN['conversations.answered']).getByRole('link').click()
  await expect(chatPage.getByText(zhCN['conversations.answered'])).toHaveCount(0)
  await chatPage.reload()
  await expect(row(chatPage, '别的')).toBeVisible()
  await expect(chatPage.getByText(zhCN['conversations.answered'])).toHaveCount(0)
})

test('an answer that came while nobody was there is new when one comes back', async ({ chatPage, person }) => {
  await person.ask('hello', { new_title: '别的' })
  await ask(chatPage, echo(countedWords(30), 5))
  await untilGrowing(chatPage)
  await chatPage.goto('about:blank')
  await expect
    .poll(async () =>
      (await person.result<ConversationRecord[]>('GET', '/conv')).filter(
        ({ running_ask }) => running_ask !== undefined,
      ),
    )
    .toEqual([])
  await chatPage.goto('/conversation')
  await expect(row(chatPage, zhCN['conversations.answered'])).toBeVisible()
})

test('that an answer broke off outlives a reload as well', async ({ chatPage, person, portal }) => {
  await person.ask('hello', { new_title: '别的' })
  await chatPage.reload()
  portal.simulator.nextFault({ kind: 'cut', after_tokens: 30 })
  await ask(chatPage, echo(countedWords(60), 10))
  await untilGrowing(chatPage)
  await row(chatPage, '别的').getByRole('link').click()
  await expect(chatPage.getByText(zhCN['conversations.interrupted'])).toBeVisible()
  await chatPage.reload()
  await row(chatPage, zhCN['conversations.interrupted']).getByRole('link').click()
  await expect(chatPage.getByText(zhCN['message.failed'])).toBeVisible()
  await chatPage.reload()
  await expect(chatPage.getByText(zhCN['message.failed'])).toBeVisible()
  await expect(chatPage.getByText(zhCN['conversations.interrupted'])).toHaveCount(0)
})
