import { expect, test, bringSession } from './journey.ts'
import { TEXTS } from './steps.ts'

const zhCN = TEXTS['zh-CN']

for (const path of ['/admin', '/admin/user', '/admin/config']) {
  test(`an ordinary person finds ${path} closed`, async ({ chatPage }) => {
    await chatPage.goto(path)
    await expect(chatPage).toHaveURL('/error/403')
    await expect(chatPage.getByRole('heading', { name: zhCN['error.403.title'] })).toBeVisible()
    await expect(chatPage.getByTestId('admin-toggle')).toHaveCount(0)
    await chatPage.getByRole('link', { name: zhCN['error.home'] }).click()
    await expect(chatPage).toHaveURL('/home')
  })
}

test('an administrator goes from the conversations to the administration and back', async ({
  page,
  context,
  portal,
}) => {
  const admin = await portal.admin()
  await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
  await bringSession(context, admin, portal.url)
  await page.goto('/conversation')
  await page.getByTestId('admin-toggle').getByRole('link', { name: zhCN['app.area.admin'] }).click()
  await expect(page).toHaveURL('/admin/system')
  await expect(page.getByRole('navigation', { name: zhCN['admin.menu'] })).toBeVisible()
  await page.goto('/admin')
  await expect(page).toHaveURL('/admin/system')
  await page.getByTestId('admin-toggle').getByRole('link', { name: zhCN['app.area.chat'] }).click()
  await expect(page.getByTestId('composer')).toBeVisible()
})

for (const path of ['/no/such/page', '/admin/nothing', '/conv', '/LOGIN.php', '/%']) {
  test(`${path} is nowhere`, async ({ chatPage }) => {
    await chatPage.goto(path)
    await expect(chatPage).toHaveURL('/error/404')
    await expect(chatPage.getByRole('heading', { name: zhCN['error.404.title'] })).toBeVisible()
  })
}

test('the conversation of somebody else is as unknown as one that never was', async ({ chatPage, portal }) => {
  const other = await portal.person()
  const frames = await other.ask('这是我的问题')
  const foreign = String(frames.find(frame => frame.type === 'accepted')?.['conversation_id'])
  for (const id of [foreign, '00000000-0000-4000-8000-000000000000']) {
    for (const path of [`/conversation?id=${id}`, `/conv/${id}`]) {
      await chatPage.goto(path)
      await expect(chatPage.getByRole('heading', { name: zhCN['thread.notFound'] })).toBeVisible()
      await expect(chatPage.getByTestId('message')).toHaveCount(0)
    }
  }
})
