import { beforeEach, describe, expect, test, vi } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { answerCalls, aUser, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'

beforeEach(() => loadTexts('account'))

const fresh = page.getByLabelText('新密码', { exact: true })
const current = page.getByLabelText('当前密码', { exact: true })
const submit = page.getByRole('button', { name: '重设密码' })

beforeEach(freshDevice)

async function openDialog() {
  const onClose = vi.fn<() => void>()
  await render(
    <Kit>
      <PasswordDialog onClose={onClose} />
      <Toasts />
    </Kit>,
  )
  return onClose
}

describe('resetting the password', () => {
  test.each(['123456', 'with space 7', ''])('refuses %j before asking the server', async password => {
    const made = answerCalls({})
    await openDialog()
    await fresh.fill(password)
    await submit.click()
    await expect.element(page.getByText('密码不符合要求', { exact: false })).toBeVisible()
    // What it has to be like is said once.
    expect(page.getByText('不含空格', { exact: false }).elements()).toHaveLength(1)
    expect(made).toEqual([])
  })
  test('takes one input while the session is fresh, and reports success', async () => {
    const made = answerCalls({ 'PATCH /user/me': success(aUser()) })
    const onClose = await openDialog()
    expect(current.elements()).toEqual([])
    await fresh.fill('long-enough')
    await submit.click()
    await expect.element(page.getByRole('status').getByText('密码已重设', { exact: false })).toBeVisible()
    expect(made.map(({ body }) => body)).toEqual([{ password: 'long-enough' }])
    expect(onClose).toHaveBeenCalledOnce()
  })
  test('asks for the current password when the server wants it', async () => {
    const made = answerCalls({
      'PATCH /user/me': ({ body }) =>
        'current_password' in Object(body) ? success(aUser()) : refusal('currentPasswordRequired'),
    })
    const onClose = await openDialog()
    await fresh.fill('long-enough')
    await submit.click()
    await expect.element(current).toHaveFocus()
    await current.fill('the-old-one')
    await submit.click()
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
    expect(made.at(-1)?.body).toEqual({ password: 'long-enough', current_password: 'the-old-one' })
  })
  test('says beside the field what was wrong, and reports the failure', async () => {
    const detail = [{ loc: ['body', 'password'], msg: 'commonPassword', type: 'value_error' }]
    answerCalls({ 'PATCH /user/me': refusal('requestValidationError', { detail }) })
    const onClose = await openDialog()
    await fresh.fill('password1')
    await submit.click()
    await expect.element(fresh).toHaveAccessibleDescription(/这个密码太常见/)
    await expect.element(page.getByRole('alert').getByText('密码没有重设')).toBeVisible()
    expect(onClose).not.toHaveBeenCalled()
  })
})
