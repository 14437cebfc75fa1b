import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { answerCalls, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { applyStoredPreferences } from '#web/foundation/preferences.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { deviceChoice, mayOffer, noticeSupport, renewDevice } from './device.ts'
import { NoticeOffer } from './NoticeOffer.tsx'
import { aPushBrowser, PUBLIC_KEY } from './notices.testing.ts'

const DEVICES = 'POST /user/me/notices/devices'
const READ = { 'GET /user/me/notices': success({ public_key: PUBLIC_KEY, devices: 0, reminder: null }) }

beforeEach(async () => {
  freshDevice()
  useSession.setState({ user: aUser() })
  await applyStoredPreferences()
  await loadTexts('notices')
})

const offer = (wait_seconds: number | null = 100) =>
  render(
    <Kit>
      <NoticeOffer wait_seconds={wait_seconds} />
    </Kit>,
  )

const saved = success({})
const answering = (more: Parameters<typeof answerCalls>[0] = {}) =>
  answerCalls({ ...READ, [DEVICES]: success(), 'PATCH /user/me/preferences': saved, ...more })

describe('what is asked where somebody waits', () => {
  test('says how long it takes and of what they are told, and asks the browser nothing yet', async () => {
    const browser = aPushBrowser()
    answering()
    await offer(100)
    await expect.element(page.getByText('答好了，叫你一声？')).toBeVisible()
    await expect.element(page.getByText('这次要等 1 分钟多。页面关着也叫得到。')).toBeVisible()
    for (const name of ['回答好了', '轮到你了', '又可以问了'])
      await expect.element(page.getByRole('checkbox', { name })).toBeChecked()
    expect(browser.asked).not.toHaveBeenCalled()
  })
  test('has the browser ask after a yes, and adds it with what was chosen', async () => {
    const browser = aPushBrowser()
    const made = answering()
    await offer()
    await page.getByRole('checkbox', { name: '又可以问了' }).click()
    await page.getByTestId('notice-on').click()
    await expect.element(page.getByText('这个浏览器会叫你')).toBeVisible()
    expect(browser.asked).toHaveBeenCalledOnce()
    expect(made.find(({ call }) => call === DEVICES)?.body).toMatchObject({ endpoint: 'https://push.example.org/new' })
    const chosen = { notices: { answer: true, turn: true, window: false, titles: false } }
    await vi.waitFor(() => expect(made.find(({ call }) => call.startsWith('PATCH'))?.body).toEqual(chosen))
    expect(deviceChoice()).toBe('on')
    expect(mayOffer()).toBe(false)
  })
  test('goes away for now, and is never asked again where somebody says so', async () => {
    aPushBrowser()
    answering()
    const first = await offer()
    await page.getByRole('button', { name: '这次不用' }).click()
    await expect.element(page.getByTestId('notice-offer')).not.toBeInTheDocument()
    expect(mayOffer()).toBe(true)
    await first.unmount()
    await offer()
    await page.getByRole('button', { name: '别再问' }).click()
    expect(mayOffer()).toBe(false)
  })
  test('says what to do where the browser does not let the page, and tries again', async () => {
    const browser = aPushBrowser({ answer: 'denied' })
    const made = answering()
    await offer()
    await page.getByTestId('notice-on').click()
    await expect.element(page.getByText('浏览器不让这里发通知')).toBeVisible()
    expect(made.some(({ call }) => call === DEVICES)).toBe(false)
    browser.asked.mockImplementation(async () => 'granted')
    await page.getByRole('button', { name: '我改好了' }).click()
    await expect.element(page.getByText('这个浏览器会叫你')).toBeVisible()
  })
  test('says so where the browser cannot reach its push service', async () => {
    aPushBrowser({ isReachable: false })
    answering()
    await offer()
    await page.getByTestId('notice-on').click()
    await expect.element(page.getByText('这个浏览器没有打开通知')).toBeVisible()
    expect(deviceChoice()).toBeNull()
  })
  test('is nothing where the portal has them switched off, or the address is no https', async () => {
    aPushBrowser()
    answering({ 'GET /user/me/notices': success({ public_key: null, devices: 0, reminder: null }) })
    await offer()
    await page.getByTestId('notice-on').click()
    await expect.element(page.getByTestId('notice-offer')).not.toBeInTheDocument()
    vi.stubGlobal('isSecureContext', false)
    expect([noticeSupport(), mayOffer()]).toEqual(['insecure', false])
    vi.unstubAllGlobals()
  })
})

describe('a browser that is told', () => {
  test('is added once more after a sign-in, with the address it has', async () => {
    const browser = aPushBrowser({ had: { endpoint: 'https://push.example.org/had', key: PUBLIC_KEY } })
    const made = answering()
    localStorage.setItem(`notices.${aUser().id}`, 'on')
    await renewDevice(PUBLIC_KEY)
    expect(browser.subscribe).not.toHaveBeenCalled()
    expect(made.at(-1)).toMatchObject({ call: DEVICES, body: { endpoint: 'https://push.example.org/had' } })
  })
  test('gets another address where the portal has another key', async () => {
    const other = 'B'.padEnd(87, 'Q')
    const browser = aPushBrowser({ had: { endpoint: 'https://push.example.org/had', key: other } })
    const before = browser.present()
    const made = answering()
    localStorage.setItem(`notices.${aUser().id}`, 'on')
    await renewDevice(PUBLIC_KEY)
    expect(before?.unsubscribe).toHaveBeenCalledOnce()
    expect(made.at(-1)).toMatchObject({ body: { endpoint: 'https://push.example.org/new' } })
  })
  test('is left alone where somebody else is signed in', async () => {
    aPushBrowser({ had: { endpoint: 'https://push.example.org/had', key: PUBLIC_KEY } })
    const made = answering()
    localStorage.setItem('notices.99999', 'on')
    await renewDevice(PUBLIC_KEY)
    expect(made).toEqual([])
  })
})
