import { expect, test } from './journey.ts'
import { answers, conversationId, echo, questions, TEXTS, untilAnswered } from './steps.ts'

test('typing straight into the empty screen begins a conversation', async ({ chatPage }) => {
  await expect(chatPage.getByTestId('composer')).toBeFocused()
  await chatPage.keyboard.type('天为什么是蓝的？')
  await chatPage.keyboard.press('Enter')
  await expect(questions(chatPage)).toHaveText('天为什么是蓝的？')
  await untilAnswered(chatPage)
  await expect(chatPage.getByTestId('composer')).toHaveValue('')
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(1)
  expect(conversationId(chatPage)).not.toBe('')
})

test('a suggestion is put where one writes, and is not sent', async ({ chatPage }) => {
  const { 'empty.letter': title, 'empty.letterText': text } = TEXTS['zh-CN']
  await chatPage.getByRole('button', { name: title }).click()
  await expect(chatPage.getByTestId('composer')).toHaveValue(text)
  await expect(chatPage.getByTestId('composer')).toBeFocused()
  await expect(chatPage.getByTestId('message')).toHaveCount(0)
})

test('what was being written is still there after a reload', async ({ chatPage }) => {
  await chatPage.getByTestId('composer').fill('半个问题')
  await chatPage.reload()
  await expect(chatPage.getByTestId('composer')).toHaveValue('半个问题')
})

test('the next question can be written while an answer grows', async ({ chatPage }) => {
  await chatPage.getByTestId('composer').fill(echo('一二三四五六七八九十一二三四五六七八九十', 10))
  await chatPage.getByTestId('send').click()
  await expect(answers(chatPage)).toHaveText(/一/)
  await chatPage.getByTestId('composer').fill('下一个问题')
  await untilAnswered(chatPage)
  await expect(chatPage.getByTestId('composer')).toHaveValue('下一个问题')
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage, 2)
  await expect(questions(chatPage).last()).toHaveText('下一个问题')
})

test('the connection is opened while the question is written, and carries it', async ({ chatPage }) => {
  const sockets: string[][] = []
  chatPage.on('websocket', socket => {
    const said: string[] = []
    sockets.push(said)
    socket.on('framesent', ({ payload }) => {
      said.push(String(payload))
    })
  })
  const opened = chatPage.waitForEvent('websocket')
  await chatPage.getByTestId('composer').pressSequentially('在')
  await opened
  expect(sockets).toEqual([[]])
  await chatPage.getByTestId('composer').pressSequentially('吗？')
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage)
  expect(sockets.map(said => said.length)).toEqual([1])
})
