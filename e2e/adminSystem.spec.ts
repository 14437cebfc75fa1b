import { question } from '#testing/person.ts'
import { bringSession, expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'

test.use({
  portalOptions: {
    environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1', COMMONS_OPENAI_API_SHARED_LIMIT: '50' },
  },
})

test('a superuser sees how the portal does, who is answered and who waits, and ends an ask', async ({
  page,
  context,
  portal,
  openPageFor,
}) => {
  const zh = TEXTS['zh-CN']
  const admin = await portal.admin()
  const [lin, mei] = [await portal.person(), await portal.person()]
  for (const new_title of ['第一个', '第二个']) await lin.ask('你好\n/simulate tokens=3', { new_title })
  portal.simulator.setPace(20)
  const running = await lin.chat(question('/simulate tokens=4000', { new_title: '鸡兔同笼' }))
  await running.until(frame => frame.type === 'waiting')
  const waiting = await mei.chat(question('你好', { new_title: '显微镜' }))
  await waiting.until(frame => frame.type === 'queueing')

  await bringSession(context, admin, portal.url)
  await page.goto('/admin/system')
  const asks = page.getByTestId('queued-ask')
  await expect(asks).toHaveCount(2)
  await expect(asks.nth(0)).toContainText('鸡兔同笼')
  await expect(asks.nth(1)).toContainText(mei.username)
  await expect(page.getByText(zh['system.database'])).toBeVisible()
  await expect(page.getByTestId('admin-nav-system')).toHaveAttribute('aria-current', 'page')

  const plot = page.getByRole('region', { name: zh['system.plot.asks'], exact: true })
  const legend = plot.getByRole('button', { name: /GPT-4/ })
  await expect(legend).toContainText('2')
  // The last column is that of now; who is behind it is fetched when the pointer rests.
  const canvas = plot.locator('.u-over')
  const { width, height } = (await canvas.boundingBox())!
  await canvas.hover({ position: { x: width - 8, y: height / 2 } })
  await expect(plot.getByText(`${lin.username} 2`)).toBeVisible()
  await canvas.dblclick({ position: { x: width / 2, y: height / 2 } })
  await legend.click()
  await expect(legend).toHaveAttribute('aria-pressed', 'false')
  const picture = page.waitForEvent('download')
  await plot.getByRole('button', { name: zh['plots.picture'] }).click()
  expect((await picture).suggestedFilename()).toMatch(/\.png$/)
  await plot.getByRole('button', { name: zh['plots.table'] }).click()
  await expect(plot.getByTestId('plot-table').getByRole('row')).toHaveCount(3)

  // Only now: one that was ended counts among the asks.
  await asks.nth(1).getByRole('button').click()
  await page.getByTestId('end-ask').click()
  await page.getByRole('dialog').getByRole('button', { name: zh['system.end.verb'] }).click()
  await waiting.closed
  await expect(asks).toHaveCount(1)

  await page.getByRole('button', { name: zh['range.7d'] }).click()
  await expect(page).toHaveURL(/range=7d/)
  await admin.result('PATCH', '/user/me/preferences', { language: 'en-US' })
  const office = await openPageFor(admin)
  await office.goto('/admin/system?range=7d')
  const english = TEXTS['en-US']
  await expect(office.getByRole('heading', { level: 1 })).toHaveText(english['admin.system'])
  await expect(office.getByRole('button', { name: english['range.7d'], pressed: true })).toBeVisible()
  await expect(office.getByRole('region', { name: english['system.plot.asks'], exact: true })).toContainText('GPT-4')
  running.send({ stop: true })
  await running.closed
  await expect(office.getByTestId('queued-ask')).toHaveCount(0)
  await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
})

test('a hidden page of the overview asks for nothing', async ({ page, context, portal }) => {
  await bringSession(context, await portal.admin(), portal.url)
  await page.clock.install()
  await page.goto('/admin/system')
  await expect(page.getByTestId('shared-account').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const turn = (state: string) =>
    page.evaluate(given => {
      Object.defineProperty(document, 'visibilityState', { value: given, configurable: true })
      document.hasFocus = () => given === 'visible'
      window.dispatchEvent(new Event(given === 'visible' ? 'focus' : 'blur'))
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await turn('hidden')
  await page.clock.runFor(90_000)
  expect(asked).toEqual([])
  await turn('visible')
  await expect.poll(() => asked.some(url => url.endsWith('/system/queue'))).toBe(true)
})
