import type { Page } from '@playwright/test'
import type { ConversationRecord } from '#contract/conversations.ts'
import { expect, test } from './journey.ts'
import { ask, countedWords, echo, TEXTS, untilGrowing } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const row = (page: Page, title: string) => page.getByTestId('conversation-row').filter({ hasText: title })

test('that there is a new answer outlives a reload, until somebody looks', async ({ desk, person }) => {
  await person.ask('hello', { new_title: '别的' })
  await desk.reload()
  await ask(desk, echo(`头一句 ${countedWords(40)}`, 20))
  await untilGrowing(desk)
  await row(desk, '别的').getByRole('link').click()
  await expect(desk.getByText(zhCN['conversations.answered'])).toBeVisible()
  await desk.reload()
  await expect(desk.getByText(zhCN['conversations.answered'])).toBeVisible()
  await row(desk, zhCN['conversations.answered']).getByRole('link').click()
  await expect(desk.getByText(zhCN['conversations.answered'])).toHaveCount(0)
  await desk.reload()
  await expect(row(desk, '别的')).toBeVisible()
  await expect(desk.getByText(zhCN['conversations.answered'])).toHaveCount(0)
})

test('an answer that came while nobody was there is new when one comes back', async ({ desk, person }) => {
  await person.ask('hello', { new_title: '别的' })
  await ask(desk, echo(countedWords(30), 20))
  await untilGrowing(desk)
  await desk.goto('about:blank')
  await expect
    .poll(async () =>
      (await person.result<ConversationRecord[]>('GET', '/conv')).filter(
        ({ running_ask }) => running_ask !== undefined,
      ),
    )
    .toEqual([])
  await desk.goto('/conversation')
  await expect(row(desk, zhCN['conversations.answered'])).toBeVisible()
})

test('that an answer broke off outlives a reload as well', async ({ desk, person, portal }) => {
  await person.ask('hello', { new_title: '别的' })
  await desk.reload()
  portal.simulator.nextFault({ kind: 'cut', after_tokens: 30 })
  await ask(desk, echo(countedWords(60), 15))
  await untilGrowing(desk)
  await row(desk, '别的').getByRole('link').click()
  await expect(desk.getByText(zhCN['conversations.interrupted'])).toBeVisible()
  await desk.reload()
  await row(desk, zhCN['conversations.interrupted']).getByRole('link').click()
  await expect(desk.getByText(zhCN['message.failed'])).toBeVisible()
  await desk.reload()
  await expect(desk.getByText(zhCN['message.failed'])).toBeVisible()
  await expect(desk.getByText(zhCN['conversations.interrupted'])).toHaveCount(0)
})
