import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ConversationInstructions, OwnInstructions } from '#contract/instructions.ts'
import { answerCalls, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'
import { InstructionsLine } from './InstructionsLine.tsx'
import { useUnsavedInstructions } from './unsavedInstructions.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const OWN: OwnInstructions = { about_me: '我在上海', how_to_answer: '', is_on: true, with_keys: false }
const NOTHING: ConversationInstructions = { text: '', with_own: null }

type Stored = {
  portal?: string | null
  plan?: string | null
  own?: OwnInstructions
  conversation?: ConversationInstructions
}

/** The line of a stored conversation, or (`id` null) of a new one; gives what was saved. */
async function open(
  id: string | null,
  { portal = null, plan = null, own = OWN, conversation = NOTHING }: Stored = {},
  refuses = false,
) {
  const saved: unknown[] = []
  answerCalls({
    'GET /user/me/instructions': success({ ...own, portal, plan }),
    [`GET /conv/${ID}/instructions`]: success(conversation),
    [`PUT /conv/${ID}/instructions`]: ({ body }) => {
      saved.push(body)
      return refuses ? refusal('internal') : success(body)
    },
  })
  await loadTexts('instructions')
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <InstructionsLine id={id} isSent />
        <Toasts />
      </Kit>
    </QueryClientProvider>,
  )
  return saved
}

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  useUnsavedInstructions.setState({ instructions: null })
})

describe('the line below the title', () => {
  test('counts what is really sent', async () => {
    await open(ID, {
      portal: '用提问的语言回答',
      plan: '对家里人说话不用行话',
      conversation: { text: '按米算', with_own: null },
    })
    await expect.element(page.getByTestId('instructions')).toMatchTextContent(/^4 条说明，约 \d+ token$/)
  })
  test('says that there is none, and that one’s own are off here', async () => {
    await open(ID, { own: { ...OWN, about_me: '' } })
    await expect.element(page.getByTestId('instructions')).toMatchTextContent('没有说明')
  })
  test('says that one’s own are off in this conversation', async () => {
    await open(ID, { portal: '短', conversation: { text: '', with_own: false } })
    await expect.element(page.getByTestId('instructions')).toMatchTextContent('1 条说明，我的关着')
  })
  test('opens all of them in the order of the model; those of the conversation are written there', async () => {
    const saved = await open(ID, { portal: '用提问的语言回答' })
    await page.getByTestId('instructions').click()
    const items = page.getByRole('dialog').getByRole('listitem')
    await expect.element(items.nth(0)).toMatchTextContent(/门户.*用提问的语言回答/)
    await expect.element(items.nth(1)).toMatchTextContent(/我的.*我在上海/)
    await page.getByTestId('instructions-edit').click()
    await page.getByRole('textbox', { name: '这个对话' }).fill('  按米算 ')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(items.nth(2)).toMatchTextContent(/这个对话.*按米算/)
    expect(saved).toEqual([{ text: '按米算', with_own: null }])
  })
  test('switches one’s own off and back on for this conversation', async () => {
    const saved = await open(ID)
    await page.getByTestId('instructions').click()
    const own = page.getByRole('switch', { name: '在这个对话里带上' })
    await own.click({ force: true })
    await expect.element(own).not.toBeChecked()
    await own.click({ force: true })
    await expect.element(own).toBeChecked()
    expect(saved).toEqual([
      { text: '', with_own: false },
      { text: '', with_own: null },
    ])
  })
  test('shows what was there before when saving is refused, and keeps what was typed', async () => {
    await open(ID, {}, true)
    await page.getByTestId('instructions').click()
    await page.getByTestId('instructions-edit').click()
    await page.getByRole('textbox', { name: '这个对话' }).fill('按米算')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(page.getByText(/出错/).first()).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: '这个对话' })).toHaveValue('按米算')
  })
  test('of a conversation that is not stored keeps them for its first question', async () => {
    const saved = await open(null)
    await page.getByTestId('instructions').click()
    await page.getByTestId('instructions-edit').click()
    await page.getByRole('textbox', { name: '这个对话' }).fill('按米算')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(page.getByText('按米算')).toBeVisible()
    expect([saved, useUnsavedInstructions.getState().instructions]).toEqual([[], { text: '按米算', with_own: null }])
  })
})
