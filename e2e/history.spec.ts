import { expect, test } from './journey.ts'
import { answers } from './steps.ts'

test('a conversation can be read by its owner and by an administrator, who is told whose it is, and by nobody else', async ({
  chatPage,
  person,
  portal,
  openPageFor,
}) => {
  portal.simulator.nextAnswer('四年左右回本。')
  await person.ask('热泵多久回本？', { new_title: '热泵' })
  const [{ conversation_id }] = await person.result<[{ conversation_id: string }]>('GET', '/conv')

  await chatPage.goto(`/conv/${conversation_id}`)
  await expect(answers(chatPage)).toHaveText([/四年左右回本/])
  await expect(chatPage.getByRole('banner').getByRole('heading', { name: '热泵' })).toBeVisible()
  await expect(chatPage.getByTestId('composer')).toBeHidden()
  await chatPage.getByRole('link', { name: '去这个对话' }).click()
  await expect(chatPage).toHaveURL(`/conversation?id=${conversation_id}`)

  const administrator = await openPageFor(await portal.admin())
  await administrator.goto(`/conv/${conversation_id}`)
  await administrator.getByRole('button', { name: '写明原因，打开' }).click()
  await administrator.getByLabel('写一句，本人看得到').fill('你说图不对，我看一下。')
  await administrator.getByRole('button', { name: '打开对话' }).click()
  await expect(answers(administrator)).toHaveText([/四年左右回本/])
  await expect(administrator.getByRole('banner')).toContainText(`${person.username} 的对话`)
  await expect(administrator.getByRole('link', { name: '去这个对话' })).toBeHidden()

  const stranger = await openPageFor(await portal.person())
  await stranger.goto(`/conv/${conversation_id}`)
  await expect(stranger.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
})
