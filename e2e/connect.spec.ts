import type { Page } from '@playwright/test'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'

test.use({ warm: false })

const result = (page: Page) => page.getByTestId('tool-test-result')

/** Makes a key on the page, and returns it. */
async function makeKey(page: Page): Promise<string> {
  await page.goto('/keys?tool=curl')
  await page.getByTestId('key-new').click()
  await page.getByTestId('key-name').fill('Laptop')
  await page.getByTestId('key-create').click()
  return page.getByTestId('key-secret').inputValue()
}

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]

  test(`a tool is connected, and what it does wrong is said, in ${language}`, async ({
    chatPage: page,
    person,
    portal,
    readIn,
  }) => {
    await (await portal.admin()).result('PATCH', '/plan/1', { max_keys: 5 })
    await readIn(language, person)
    const key = await makeKey(page)
    await expect(page.getByTestId('tool-snippet')).toContainText(`${portal.url}/v1/chat/completions`)
    await expect(page.getByTestId('tool-snippet')).not.toContainText(key)

    const ask = async (secret: string, model: string) => {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.text()
      return response.status
    }
    await page.getByTestId('tool-test').click()
    await expect(result(page)).toContainText(texts['keys.test.waiting'])
    expect(await ask(key.slice(0, -1), 'gpt_4')).toBe(401)
    await expect(result(page)).toContainText(texts['keys.test.mistyped'])
    await checkAccessibility(page, 'mistyped')
    expect(await ask(key, 'gpt-nine')).toBe(404)
    await expect(result(page)).toContainText('gpt-nine')
    expect(await ask(key, 'gpt_4')).toBe(200)
    await expect(result(page)).toContainText(texts['keys.test.answered'])
    await expect(result(page)).toContainText('curl')

    await page.getByTestId('connection-check').click()
    const findings = page.getByTestId('connection-check-result').getByRole('listitem')
    await expect(findings).toHaveCount(4)
    await expect(findings.and(page.locator('[data-problem]'))).toHaveCount(0)
    await checkAccessibility(page, 'answered')

    await page.getByTestId('key-row').getByRole('button').click()
    await page.getByTestId('key-revoke').click()
    await page.getByRole('dialog').getByRole('button', { name: texts['keys.revoke.verb'] }).click()
    await expect(page.getByTestId('key-row')).toHaveCount(0)
    expect(await ask(key, 'gpt_4')).toBe(401)
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('nothing of it is wider than the screen', async ({ chatPage: page, portal }) => {
    await (await portal.admin()).result('PATCH', '/plan/1', { max_keys: 5 })
    await makeKey(page)
    await page.getByTestId('tool-test').click()
    await expect(result(page)).toBeVisible()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await checkAccessibility(page)
  })
})
