import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { aUser, freshDevice } from '#web/foundation/api.testing.ts'
import { useSession } from '#web/foundation/session.ts'
import { DialogHost } from './DialogHost.tsx'
import { Kit } from './Kit.tsx'

const card = page.getByRole('dialog', { name: '键盘快捷键' })

beforeEach(async () => {
  freshDevice()
  useSession.setState({ user: aUser() })
  await render(
    <Kit>
      <DialogHost />
      <textarea data-composer aria-label="问题" />
    </Kit>,
  )
})

describe('the card of shortcuts', () => {
  test('opens with its key, names every shortcut with its keys, and gives the focus back', async () => {
    await page.getByLabelText('问题').click()
    await userEvent.keyboard('{Control>}/{/Control}')
    await expect.element(card).toBeVisible()
    await expect.element(card.getByText('上一个对话')).toBeVisible()
    await expect.element(card.getByText('输入框为空时')).toBeVisible()
    expect(card.element().querySelectorAll('kbd').length).toBeGreaterThan(10)
    await userEvent.keyboard('{Escape}')
    await expect.element(card).not.toBeInTheDocument()
    await expect.element(page.getByLabelText('问题')).toHaveFocus()
  })
  test('opens with ? where nothing is typed, until that is switched off', async () => {
    await page.getByLabelText('问题').fill('什么')
    await userEvent.keyboard('?')
    await expect.element(page.getByLabelText('问题')).toHaveValue('什么?')
    document.body.focus()
    ;(document.activeElement as HTMLElement | null)?.blur()
    await userEvent.keyboard('?')
    await page.getByRole('switch').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(card).not.toBeInTheDocument()
    await userEvent.keyboard('?')
    await userEvent.keyboard('{Control>}/{/Control}')
    await expect.element(card.getByRole('switch')).not.toBeChecked()
  })
  test('is for whoever is signed in', async () => {
    useSession.setState({ user: null })
    await userEvent.keyboard('{Control>}/{/Control}')
    useSession.setState({ user: aUser() })
    await userEvent.keyboard('{Control>}/{/Control}')
    await expect.element(card).toBeVisible()
  })
})
