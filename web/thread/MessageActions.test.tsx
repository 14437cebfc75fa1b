import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Message } from '#contract/messages.ts'
import { aMessage } from '#testing/messages.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { AnswerActions } from './MessageActions.tsx'

const anAnswer = (id: string, content: Message['content'], more: Partial<Message> = {}) =>
  aMessage({ id, model: 'gpt_4', create_time: new Date().toISOString(), content, ...more })

const asMarkdown = { plain: false, onPlain: () => undefined }

const actions = (...replies: Message[]) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <AnswerActions replies={replies} shown={asMarkdown} />
      </Kit>
    </QueryClientProvider>,
  )

afterEach(() => {
  vi.restoreAllMocks()
})

describe('under an answer', () => {
  test('copying takes the text, without steps of tools', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const screen = await actions(
      anAnswer('1', { content_type: 'text', text: '先算一下。' }),
      anAnswer('2', { content_type: 'execution_output', text: '42' }),
      anAnswer('3', { content_type: 'text', text: '是 42。' }),
    )
    await screen.getByRole('button', { name: '复制' }).click()
    expect(copied).toHaveBeenCalledWith('先算一下。\n\n是 42。')
    await expect.element(screen.getByRole('button', { name: '已复制' })).toBeVisible()
  })

  test('are the model and how long ago it was', async () => {
    const screen = await actions(anAnswer('1', null))
    await expect.element(screen.getByText('GPT-4', { exact: true })).toBeVisible()
    await expect.element(screen.getByText('刚刚')).toBeVisible()
  })

  test('is the date when it was another day', async () => {
    const screen = await actions(anAnswer('1', null, { create_time: new Date(2026, 2, 1, 9, 5).toISOString() }))
    await expect.element(screen.getByText('2026年3月1日 09:05')).toBeVisible()
  })

  test('an unknown model is named by its code', async () => {
    const screen = await actions(anAnswer('1', null, { model: 'gpt_9', create_time: null }))
    await expect.element(screen.getByText('未知（gpt_9）')).toBeVisible()
  })

  test('is the length in tokens, where the upstream reports it', async () => {
    const screen = await actions(
      anAnswer('1', null, {
        metadata: { source: 'openai_api', usage: { prompt_tokens: 1200, completion_tokens: 345 } },
      }),
    )
    await expect.element(screen.getByText('345 token')).toHaveAttribute('title', '读了 1,200 token')
  })

  test('the stored data can be shown', async () => {
    const screen = await actions(anAnswer('1', { content_type: 'text', text: '先算一下。' }))
    await screen.getByRole('button', { name: '更多操作' }).click()
    await page.getByRole('menuitem', { name: '原始内容' }).click()
    await expect.element(page.getByTestId('message-raw')).toMatchTextContent(/"content_type": "text"/)
    await page.getByRole('button', { name: '关闭' }).click()
    await expect.element(page.getByTestId('message-raw')).not.toBeInTheDocument()
  })
})
