import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerCalls, aPortal, aUser, freshDevice, leaveMarker, refusal, success } from '#web/foundation/api.testing.ts'
import { ANSWERS, status } from '#web/admin/system/answers.testing.ts'
import { useUnsavedChanges } from '#web/foundation/unsavedChanges.ts'
import { signIn, signOut } from '#web/foundation/session.ts'
import { dropAdminTexts, translateMessage } from '#web/i18n/useTranslate.ts'
import { openPage } from './openPage.testing.tsx'

const admin = aUser({ nickname: '周明', is_superuser: true })

/** What the sign-in page itself asks for. */
const PROVIDERS = 'GET /auth/provider'

beforeEach(async () => {
  freshDevice()
  await page.viewport(1280, 800)
})

describe('the address', () => {
  test('/ leads home', async () => {
    answerCalls({})
    const router = await openPage('/')
    await expect.element(page.getByRole('heading', { name: '一张长桌，几盏灯' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/home')
    expect(document.title).toBe('首页 · Chat Commons')
  })
  test('of no page leads to the page for that', async () => {
    answerCalls({})
    const router = await openPage('/no/such/place?x=1')
    await expect.element(page.getByText('没有这个地址', { exact: false })).toBeVisible()
    expect(router.state.location.pathname).toBe('/error/404')
  })
  test('that cannot be decoded is of no page, and says so', async () => {
    answerCalls({})
    await openPage('/%')
    await expect.element(page.getByText('没有这个地址', { exact: false })).toBeVisible()
  })
  test('/redirect/… leads to its page, and where that is none, or another site, to the page for that', async () => {
    answerCalls({})
    expect((await openPage('/redirect/home')).state.location.href).toBe('/home')
    expect((await openPage('/redirect/login?redirect=%2Fhome')).state.location.href).toBe('/login?redirect=%2Fhome')
    expect((await openPage('/redirect/error/403')).state.location.href).toBe('/error/403')
    for (const none of [
      '/no/such/place',
      '//evil.example/x',
      '/https://evil.example',
      '/redirect/home',
      '/admin/none',
    ]) {
      const router = await openPage(`/redirect${none}`)
      await expect.poll(() => router.state.location.href, { message: none }).toBe('/error/404')
    }
  })
})

describe('a protected page', () => {
  test('asks visitors to sign in and then leads back, where the toast is gone', async () => {
    const made = answerCalls({
      ...ANSWERS,
      'POST /auth/login': success(),
      'GET /user/me': success(admin),
      'GET /status/common': success(status),
      'GET /status/portal': success(aPortal()),
    })
    const router = await openPage('/admin/system')
    await expect.element(page.getByRole('alert').getByText('未登录')).toBeVisible()
    expect(router.state.location.search).toEqual({ redirect: '/admin/system' })
    expect(made.map(({ call }) => call)).toEqual([PROVIDERS])
    await page.getByLabelText('用户名或邮箱').fill('zhouming')
    await page.getByLabelText('密码', { exact: true }).fill('long-enough')
    await page.getByRole('button', { name: '登录' }).click()
    await expect.element(page.getByRole('heading', { name: '系统概况' })).toBeVisible()
    expect(page.getByRole('alert').elements()).toEqual([])
  })
  test('leads to the login page when the session has ended, after signing out', async () => {
    leaveMarker()
    const made = answerCalls({ 'GET /user/me': refusal('loginExpired'), 'POST /auth/logout': success() })
    const router = await openPage('/admin/user')
    await expect.element(page.getByRole('button', { name: '登录' })).toBeVisible()
    expect(made.map(({ call }) => call)).toEqual(['GET /user/me', 'POST /auth/logout', PROVIDERS])
    expect(router.state.location.search).toEqual({ redirect: '/admin/user' })
    expect(document.cookie).not.toContain('commons_signed_in')
  })
  test('says that the server does not answer, and keeps the session', async () => {
    leaveMarker()
    answerCalls({ 'GET /user/me': 'away' })
    await openPage('/admin/system')
    await expect.element(page.getByText('服务器没有应答')).toBeVisible()
    expect(document.cookie).toContain('commons_signed_in')
  })
  test('keeps the session also when the server cannot say whose it is, and tells why', async () => {
    leaveMarker()
    const made = answerCalls({ 'GET /user/me': refusal('databaseUnreachable') })
    await openPage('/admin/system')
    await expect.element(page.getByText('服务器现在给不出这个页面')).toBeVisible()
    await expect.element(page.getByText('服务器暂时连不上数据库', { exact: false })).toBeVisible()
    expect(made.map(({ call }) => call)).toEqual(['GET /user/me'])
    expect(document.cookie).toContain('commons_signed_in')
  })
  test('of the administration is forbidden to users', async () => {
    leaveMarker()
    answerCalls({ 'GET /user/me': success(aUser()) })
    const router = await openPage('/admin')
    await expect.element(page.getByText('这一页只有管理员能看', { exact: false })).toBeVisible()
    expect(router.state.location.pathname).toBe('/error/403')
  })
})

describe('the header', () => {
  test('has no user before somebody has signed in', async () => {
    answerCalls({})
    await openPage('/home')
    await expect.element(page.getByTestId('user-menu')).toHaveTextContent('未登录')
    expect(page.getByRole('navigation', { name: '区域' }).elements()).toEqual([])
  })
  test('names the user, and offers the administration to superusers only', async () => {
    leaveMarker()
    answerCalls({ 'GET /user/me': success(aUser()) })
    await openPage('/home')
    await expect.element(page.getByRole('button', { name: '林小雨 账号菜单' })).toBeVisible()
    expect(page.getByRole('navigation', { name: '区域' }).elements()).toEqual([])
  })
  test('leads superusers to the administration', async () => {
    leaveMarker()
    answerCalls({
      'GET /user/me': success(admin),
      'GET /status/common': success(status),
      'GET /status/portal': success(aPortal()),
    })
    const router = await openPage('/home')
    await page.getByRole('link', { name: '管理' }).click()
    await expect.element(page.getByRole('heading', { name: '系统概况' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: '管理' })).toHaveAttribute('aria-current', 'page')
    await router.navigate({ to: '/home' })
    // As at signing out.
    await dropAdminTexts()
    await router.navigate({ to: '/admin/system' })
    await expect.element(page.getByRole('heading', { name: '系统概况' })).toBeVisible()
  })
  test('shows the version and a link to the source', async () => {
    answerCalls({})
    await openPage('/home')
    await expect.element(page.getByText('v0.4.9')).toBeVisible()
    await expect.element(page.getByRole('link', { name: '源代码仓库' })).toHaveAttribute('rel', 'noopener noreferrer')
  })
})

describe('what administrators can do themselves', () => {
  test('is shown to them on every page, and not to the next user', async () => {
    leaveMarker()
    let user = admin
    answerCalls({
      'GET /user/me': () => success(user),
      'POST /auth/login': success(),
      'POST /auth/logout': success(),
    })
    await openPage('/home')
    const advice = () => translateMessage('errors.openai.401')
    await expect.poll(advice).toContain('请在“账号和插件”换一个')
    user = aUser()
    await signOut()
    await signIn({ username: 'linxiaoyu', password: 'long-enough', remember: false })
    await expect.poll(advice).toContain('请联系管理员')
  })
})

describe('logging out', () => {
  test('is confirmed first, then reported, and leads to the login page', async () => {
    leaveMarker()
    const made = answerCalls({ 'GET /user/me': success(aUser()), 'POST /auth/logout': success() })
    const router = await openPage('/home')
    await page.getByTestId('user-menu').click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('dialog', { name: '退出登录？' }).getByRole('button', { name: '退出登录' }).click()
    await expect.element(page.getByRole('status')).toHaveTextContent('已退出登录')
    expect(router.state.location.pathname).toBe('/login')
    expect(made.slice(-2).map(({ call }) => call)).toEqual(['POST /auth/logout', PROVIDERS])
  })
  test('does nothing when it is cancelled', async () => {
    leaveMarker()
    const made = answerCalls({ 'GET /user/me': success(aUser()) })
    await openPage('/home')
    await page.getByTestId('user-menu').click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('button', { name: '取消' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(made.map(({ call }) => call)).not.toContain('POST /auth/logout')
  })
})

describe('a session that ends while a page is open', () => {
  test('keeps the changes of a form: signing in again is done in another tab', async () => {
    leaveMarker()
    answerCalls({ 'GET /user/me': success(admin), 'GET /status/common': refusal('loginExpired') })
    await openPage('/admin/system')
    useUnsavedChanges.setState({ count: 2 })
    onTestFinished(() => useUnsavedChanges.setState({ count: 0 }))
    const dialog = page.getByRole('dialog', { name: '登录已过期' })
    await expect.element(dialog).toMatchTextContent(/2 处改动还没保存/)
    await expect.element(dialog.getByRole('link', { name: '在新标签页登录' })).toHaveAttribute('target', '_blank')
  })
  test('opens one dialog, which can be closed without leaving the page', async () => {
    leaveMarker()
    answerCalls({
      'GET /user/me': success(admin),
      'GET /status/common': refusal('loginExpired'),
      'GET /status/portal': refusal('loginExpired'),
    })
    const router = await openPage('/admin/system')
    await expect.element(page.getByRole('dialog', { name: '登录已过期' })).toBeVisible()
    await page.getByRole('button', { name: '留在这一页' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/admin/system')
  })
})
