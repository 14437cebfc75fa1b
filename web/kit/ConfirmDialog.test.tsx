import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { confirm, DialogHost } from './DialogHost.tsx'
import { Kit } from './Kit.tsx'

const deletion = { title: '删除对话？', text: '删除后不能恢复。', verb: '删除对话', danger: true }

beforeEach(async () => {
  await render(
    <Kit>
      <DialogHost />
    </Kit>,
  )
})

describe('a confirmation', () => {
  test('says the consequence, and repeats the verb on its button', async () => {
    const answer = confirm(deletion)
    await expect.element(page.getByRole('dialog', { name: '删除对话？' }).getByText('删除后不能恢复。')).toBeVisible()
    await page.getByRole('button', { name: '删除对话' }).click()
    expect(await answer).toBe(true)
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })
  test.each(['取消', '关闭'])('is declined by %s', async name => {
    const answer = confirm(deletion)
    await page.getByRole('button', { name }).click()
    expect(await answer).toBe(false)
  })
  test('is declined by Escape', async () => {
    const answer = confirm(deletion)
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(await answer).toBe(false)
  })
  test('is declined by going back', async () => {
    const answer = confirm(deletion)
    await expect.element(page.getByRole('dialog')).toBeVisible()
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(await answer).toBe(false)
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })
  test('of something dangerous focuses the cancel button', async () => {
    const answer = confirm(deletion)
    await expect.element(page.getByRole('button', { name: '取消' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(await answer).toBe(false)
  })
  test('of anything else focuses the verb', async () => {
    const answer = confirm({ title: '退出登录？', verb: '退出登录' })
    await expect.element(page.getByRole('button', { name: '退出登录' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(await answer).toBe(true)
  })
  test('does not open over another dialog', async () => {
    const first = confirm(deletion)
    expect(await confirm({ title: '退出登录？', verb: '退出登录' })).toBe(false)
    await page.getByRole('button', { name: '删除对话' }).click()
    expect(await first).toBe(true)
  })
})

describe('a confirmation of what cannot be taken back', () => {
  test('needs the name to be typed', async () => {
    const answer = confirm({ ...deletion, typed: 'lin' })
    await expect.element(page.getByLabelText('输入“lin”来确认')).toHaveFocus()
    await userEvent.keyboard('li{Enter}')
    await expect.element(page.getByRole('button', { name: '删除对话' })).toBeDisabled()
    await userEvent.keyboard('n {Enter}')
    expect(await answer).toBe(true)
  })
})
