import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Kit } from '#web/kit/Kit.tsx'
import { OwnApiForm, sameHost } from './OwnApiForm.tsx'

beforeEach(() => loadTexts('account'))

describe('the address of an endpoint of one’s own', () => {
  test('keeps its key as long as it stays with the same host', () => {
    expect(sameHost('https://api.example.org/v1/', ' https://api.example.org/v2/ ')).toBe(true)
    expect(sameHost('https://api.example.org/v1/', 'https://elsewhere.example.org/v1/')).toBe(false)
    expect(sameHost(null, 'https://api.example.org/')).toBe(false)
  })
  test('is not blamed for a key that cannot be one', async () => {
    await render(
      <Kit>
        <OwnApiForm stored={{ url: 'https://api.example.org/v1/', key: null }} />
      </Kit>,
    )
    await page.getByLabelText('密钥', { exact: true }).fill('sk a')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(page.getByText('密钥只含字母、数字和符号，中间没有空格')).toBeVisible()
    await expect.element(page.getByLabelText('密钥', { exact: true })).toHaveFocus()
    await expect.element(page.getByLabelText('接口地址')).toBeValid()
  })
})
