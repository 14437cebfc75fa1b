import { SESSION_COOKIE } from '#contract/users.ts'
import type { PictureSession } from './pictureSession.ts'
import { ask, countedWords, echo, TEXTS } from './steps.ts'

/** Waiting, failing, stopping and losing the connection or the session. */
export async function troubles({ page, look: { language, width }, take, portal }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  const { simulator } = portal
  const fresh = async () => {
    await page.goto('/conversation')
    await page.getByTestId('composer').waitFor()
  }
  await fresh()
  simulator.nextFault({ kind: 'silence' })
  await ask(page, '云南八天，怎么走不赶路？')
  await page.getByText(texts['ask.thinking']).waitFor()
  await page.waitForTimeout(4500)
  await take('thinking')
  await page.getByTestId('stop').click()
  await page.getByText(texts['ask.unanswered']).waitFor()
  await take('unanswered')

  await fresh()
  await ask(page, echo(countedWords(3000), 40))
  await page.waitForTimeout(1500)
  await take('streaming')
  const other = await portal.person()
  const waiting = await other.chat({
    source: 'openai_api',
    model: 'gpt_4',
    new_conversation: true,
    text_content: '排队',
  })
  await page.waitForTimeout(1500)
  await take('somebody-waits')
  if (width < 1000) await page.getByRole('button', { name: texts['conversations.openList'] }).click()
  await page.getByTestId('conversation-row').filter({ hasText: '鸡兔同笼' }).getByRole('link').click()
  await page.getByRole('link', { name: texts['composer.goThere'] }).waitFor()
  await take('other-conversation')
  await page.getByRole('link', { name: texts['composer.goThere'] }).click()
  await page.getByTestId('stop').click()
  await page.getByText(texts['message.stopped'], { exact: true }).waitFor()
  await take('stopped')
  waiting.leave()

  await fresh()
  simulator.nextFault({ kind: 'status', status: 500 })
  await ask(page, '把这份合同的违约条款列成表')
  await page.getByRole('button', { name: texts['ask.retry'] }).waitFor()
  await take('failed')

  const busy = await other.chat({
    source: 'openai_api',
    model: 'gpt_4',
    new_conversation: true,
    text_content: echo(countedWords(2000), 30),
  })
  await fresh()
  await ask(page, '显微镜数据的基线怎么校正？')
  await page.getByText(texts['ask.queueText']).waitFor()
  await take('queueing')
  await page.getByRole('button', { name: texts['ask.leaveQueue'] }).click()
  busy.send({ stop: true })
  await busy.closed

  await fresh()
  await page.context().setOffline(true)
  await page.waitForTimeout(300)
  await take('offline')
  await page.context().setOffline(false)
  await page.context().clearCookies({ name: new RegExp(SESSION_COOKIE) })
  await ask(page, '还在吗')
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('login-expired')
}
