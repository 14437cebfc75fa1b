import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, aPortal, aUser, freshDevice, leaveMarker, success } from '#web/foundation/api.testing.ts'
import { openPage } from './openPage.testing.tsx'

const button = page.getByTestId('user-menu')

beforeEach(async () => {
  freshDevice()
  leaveMarker()
  await page.viewport(1280, 800)
  answerCalls({ 'GET /user/me': success(aUser()), 'GET /status/portal': success(aPortal()) })
  await openPage('/home')
})

describe('the user menu in the header', () => {
  test('can be opened and used by keyboard alone', async () => {
    await expect.element(button).toBeVisible()
    button.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('menuitem', { name: '个人资料' })).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
    await expect.element(page.getByRole('menuitem', { name: '偏好设置' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  })
  test.each([
    ['个人资料', /林小雨/],
    ['重设密码', '重设密码'],
    ['偏好设置', '偏好设置'],
  ])('opens %s, and has the focus again afterwards', async (entry, dialog) => {
    await button.click()
    await page.getByRole('menuitem', { name: entry }).click()
    await expect.element(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  })
})
