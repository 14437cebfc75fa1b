import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { answerCalls, aUser, freshDevice, leaveMarker, refusal, success } from '#web/foundation/api.testing.ts'
import { useSession } from '#web/foundation/session.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'
import { LoginForm, LoginScreen } from './LoginScreen.tsx'

const username = page.getByLabelText('用户名或邮箱')
const password = page.getByLabelText('密码', { exact: true })
const signIn = page.getByRole('button', { name: '登录' })

beforeEach(freshDevice)

function openForm() {
  return render(
    <Kit>
      <LoginForm />
      <Toasts />
    </Kit>,
  )
}

describe('the login form', () => {
  test('asks for a user name and a password', async () => {
    const made = answerCalls({})
    await openForm()
    await signIn.click()
    await expect.element(page.getByText('请输入用户名或邮箱')).toBeVisible()
    await expect.element(page.getByText('请输入密码')).toBeVisible()
    await expect.element(username).toHaveFocus()
    expect(made).toEqual([])
  })
  test('signs in by keyboard alone', async () => {
    const made = answerCalls({ 'POST /auth/login': success(), 'GET /user/me': success(aUser()) })
    await openForm()
    await username.fill(' linxiaoyu ')
    await userEvent.keyboard('{Tab}a password{Enter}')
    await expect.poll(() => useSession.getState().user?.username).toBe('linxiaoyu')
    expect(made[0]).toMatchObject({ call: 'POST /auth/login', body: { username: 'linxiaoyu', password: 'a password' } })
  })
  test('remembers the user name and asks for a longer session, and never keeps the password', async () => {
    const made = answerCalls({ 'POST /auth/login': success(), 'GET /user/me': success(aUser()) })
    await openForm()
    await username.fill('linxiaoyu')
    await password.fill('hidden-pass')
    await page.getByLabelText('在这台设备上记住我').click()
    await signIn.click()
    await expect
      .poll(() => localStorage.getItem('savedLoginForm'))
      .toBe('{"rememberPassword":true,"savedUsername":"linxiaoyu","savedPassword":""}')
    expect(made[0]?.body).toMatchObject({ remember: 'true' })
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('hidden-pass')
  })
  test('fills in the user name that was remembered', async () => {
    localStorage.setItem('savedLoginForm', '{"rememberPassword":true,"savedUsername":"linxiaoyu","savedPassword":""}')
    await openForm()
    await expect.element(username).toHaveValue('linxiaoyu')
    await expect.element(password).toHaveFocus()
    await expect.element(page.getByLabelText('在这台设备上记住我')).toBeChecked()
  })
  test('reports a wrong password once, at its field and with its code, keeps what was typed, and clears the login cookie', async () => {
    leaveMarker()
    answerCalls({ 'POST /auth/login': refusal('badCredentials') })
    await openForm()
    await username.fill('linxiaoyu')
    await password.fill('wrong')
    await signIn.click()
    await expect.element(password).toHaveAccessibleDescription('10401 用户名或密码不对')
    await expect.element(password).toHaveFocus()
    expect(
      page
        .getByRole('alert')
        .elements()
        .map(alert => alert.textContent),
    ).toEqual(['10401 用户名或密码不对'])
    await expect.element(username).toHaveValue('linxiaoyu')
    expect(document.cookie).not.toContain('commons_signed_in')
  })
  test('says when the next attempt is allowed', async () => {
    answerCalls({ 'POST /auth/login': refusal('tooManySignInAttempts', { values: { retry_after_seconds: 600 } }) })
    await openForm()
    await username.fill('linxiaoyu')
    await password.fill('wrong')
    await signIn.click()
    await expect.element(password).toHaveAccessibleDescription('-1 尝试登录的次数太多，10分钟后可再试')
  })
  test('blames the network, not the password, when no answer comes', async () => {
    answerCalls({ 'POST /auth/login': 'away' })
    await openForm()
    await username.fill('linxiaoyu')
    await password.fill('right')
    await signIn.click()
    await expect.element(page.getByRole('alert').getByText('请求出错')).toBeVisible()
    await expect.element(password).not.toHaveAccessibleDescription()
  })
  test('shows the password on request', async () => {
    await openForm()
    await password.fill('visible')
    await expect.element(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: '显示密码' }).click()
    await expect.element(password).toHaveAttribute('type', 'text')
  })
})

describe('other ways to sign in', () => {
  const open = (problem?: string) =>
    render(
      <Kit>
        <LoginScreen problem={problem} redirect="/keys" />
      </Kit>,
    )
  test('are plain links in the order of the portal, which lead on to the page that was wanted', async () => {
    answerCalls({
      'GET /auth/provider': success([
        { id: 3, label: 'example.org' },
        { id: 1, label: 'GitHub' },
      ]),
    })
    await open()
    const links = page.getByTestId('sign-in-provider')
    await expect.element(links.nth(0)).toMatchTextContent(/用 example.org 登录/)
    await expect.element(links.nth(1)).toMatchTextContent(/用 GitHub 登录/)
    await expect.element(links.nth(0)).toHaveAttribute('href', '/api/auth/provider/3/start?redirect=%2Fkeys')
  })
  test('that led to nobody say why; a password connects the account once', async () => {
    const made = answerCalls({
      'GET /auth/provider': success([]),
      'POST /auth/provider/link': success(),
      'GET /user/me': success(aUser()),
    })
    await open('linkNeeded')
    await expect.element(page.getByText('用密码登录一次，就能把两个连起来', { exact: false })).toBeVisible()
    await username.fill('linxiaoyu')
    await password.fill('a password')
    await signIn.click()
    await expect.poll(() => made.map(({ call }) => call)).toContain('POST /auth/provider/link')
  })
  test('show no text that an address makes up', async () => {
    answerCalls({ 'GET /auth/provider': success([]) })
    await open('loginExpired')
    await expect.element(signIn).toBeVisible()
    await expect.element(page.getByText('登录已过期', { exact: false })).not.toBeInTheDocument()
  })
})
