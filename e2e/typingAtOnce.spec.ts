import { expect, test } from './journey.ts'
import { answers, conversationId, echo, questions, TEXTS, untilAnswered } from './steps.ts'

test('typing straight into the empty screen begins a conversation', async ({ desk }) => {
  await expect(desk.getByTestId('composer')).toBeFocused()
  await desk.keyboard.type('天为什么是蓝的？')
  await desk.keyboard.press('Enter')
  await expect(questions(desk)).toHaveText('天为什么是蓝的？')
  await untilAnswered(desk)
  await expect(desk.getByTestId('composer')).toHaveValue('')
  await expect(desk.getByTestId('conversation-row')).toHaveCount(1)
  expect(conversationId(desk)).not.toBe('')
})

test('a suggestion is put where one writes, and is not sent', async ({ desk }) => {
  const { 'empty.letter': title, 'empty.letterText': text } = TEXTS['zh-CN']
  await desk.getByRole('button', { name: title }).click()
  await expect(desk.getByTestId('composer')).toHaveValue(text)
  await expect(desk.getByTestId('composer')).toBeFocused()
  await expect(desk.getByTestId('message')).toHaveCount(0)
})

test('what was being written is still there after a reload', async ({ desk }) => {
  await desk.getByTestId('composer').fill('半个问题')
  await desk.reload()
  await expect(desk.getByTestId('composer')).toHaveValue('半个问题')
})

test('the next question can be written while an answer grows', async ({ desk }) => {
  await desk.getByTestId('composer').fill(echo('一二三四五六七八九十一二三四五六七八九十', 10))
  await desk.getByTestId('send').click()
  await expect(answers(desk)).toHaveText(/一/)
  await desk.getByTestId('composer').fill('下一个问题')
  await untilAnswered(desk)
  await expect(desk.getByTestId('composer')).toHaveValue('下一个问题')
  await desk.getByTestId('send').click()
  await untilAnswered(desk, 2)
  await expect(questions(desk).last()).toHaveText('下一个问题')
})

test('the connection is opened while the question is written, and carries it', async ({ desk }) => {
  const sockets: string[][] = []
  desk.on('websocket', socket => {
    const said: string[] = []
    sockets.push(said)
    socket.on('framesent', ({ payload }) => {
      said.push(String(payload))
    })
  })
  const opened = desk.waitForEvent('websocket')
  await desk.getByTestId('composer').pressSequentially('在')
  await opened
  expect(sockets).toEqual([[]])
  await desk.getByTestId('composer').pressSequentially('吗？')
  await desk.getByTestId('send').click()
  await untilAnswered(desk)
  expect(sockets.map(said => said.length)).toEqual([1])
})
