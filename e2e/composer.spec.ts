import { SEND_KEYS, type SendKey } from '#contract/preferences.ts'
import { expect, test } from './journey.ts'
import { questions, untilAnswered } from './steps.ts'

const stroke = (key: SendKey) => key.replace('Ctrl', 'Control')

for (const sendKey of SEND_KEYS) {
  test(`with ${sendKey} chosen, that sends and nothing else`, async ({ chatPage, person }) => {
    await person.result('PATCH', '/user/me/preferences', { sendKey })
    await chatPage.reload()
    const composer = chatPage.getByTestId('composer')
    await expect(composer).toBeFocused()
    await chatPage.keyboard.type('第一行')
    for (const other of SEND_KEYS.filter(key => key !== sendKey)) await chatPage.keyboard.press(stroke(other))
    await chatPage.keyboard.type('第二行')
    await expect(composer).toHaveValue(/^第一行\n+第二行$/)
    await chatPage.keyboard.press(stroke(sendKey))
    await expect(questions(chatPage)).toHaveText(/第一行\n+第二行/, { useInnerText: true })
    await untilAnswered(chatPage)
    await expect(composer).toHaveValue('')
  })
}

test('Enter that accepts a candidate of an input method does not send', async ({ chatPage, context }) => {
  await expect(chatPage.getByTestId('composer')).toBeFocused()
  const devtools = await context.newCDPSession(chatPage)
  await devtools.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 })
  await expect(chatPage.getByTestId('composer')).toHaveValue('nihao')
  await chatPage.keyboard.press('Enter')
  await devtools.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 })
  // The key event that browsers send for a key that an input method has consumed.
  await devtools.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await devtools.send('Input.insertText', { text: '你好' })
  await chatPage.keyboard.press('Enter')
  await untilAnswered(chatPage)
  await expect(questions(chatPage)).toHaveCount(1)
  await expect(questions(chatPage)).toContainText('你好')
})

test('blank text is not sent', async ({ chatPage }) => {
  await expect(chatPage.getByTestId('send')).toBeDisabled()
  await chatPage.getByTestId('composer').fill('  \n ')
  await expect(chatPage.getByTestId('send')).toBeDisabled()
  await chatPage.keyboard.press('Enter')
  await chatPage.getByTestId('composer').fill('有字了')
  await expect(chatPage.getByTestId('send')).toBeEnabled()
  await expect(chatPage.getByTestId('message')).toHaveCount(0)
})

test('the field grows with its text and stays inside the page', async ({ chatPage }) => {
  const composer = chatPage.getByTestId('composer')
  const heightOf = async () => (await composer.boundingBox())!.height
  const low = await heightOf()
  await composer.fill('一行\n'.repeat(5))
  await expect.poll(heightOf).toBeGreaterThan(low * 2)
  await composer.fill('一行\n'.repeat(200))
  await expect(chatPage.getByTestId('send')).toBeInViewport({ ratio: 1 })
  expect(await heightOf()).toBeLessThan(chatPage.viewportSize()!.height * 0.7)
})
