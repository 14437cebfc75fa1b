import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { aMessage, words } from '#testing/messages.ts'
import { LeftOutNote } from './LeftOutNote.tsx'

const answer = (left_out_messages?: number | null) =>
  aMessage({ role: 'assistant', content: words('x'), metadata: { source: 'openai_api', left_out_messages } })

describe('an answer to a part of the conversation', () => {
  test('says how many earlier messages its model was not sent', async () => {
    const { container } = await render(<LeftOutNote message={answer(4)} />)
    expect(container.textContent).toBe('更早的 4 条消息超出模型一次能读的长度，这次没有发给它')
  })
  test('says so of pictures and files by their kind, and of files that are gone', async () => {
    const left = { left_out_messages: 3, left_out_pictures: 2, left_out_files: 1, gone_files: 4 }
    const message = aMessage({ role: 'assistant', content: words('x'), metadata: { source: 'openai_api', ...left } })
    const { container } = await render(<LeftOutNote message={message} />)
    expect([...container.querySelectorAll('[data-testid=left-out] > *')].map(({ textContent }) => textContent)).toEqual(
      [
        '更早的 2 张图片这次没有发给模型',
        '更早的 1 个文件这次没有发给模型',
        '更早的 3 条消息超出模型一次能读的长度，这次没有发给它',
        '4 个文件已不在这里，模型看不到',
      ],
    )
  })
  test.each([0, null, undefined])('is none where nothing is left out (%s)', async left_out => {
    const { container } = await render(<LeftOutNote message={answer(left_out)} />)
    expect(container.textContent).toBe('')
  })
})
