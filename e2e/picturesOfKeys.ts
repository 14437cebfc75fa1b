import { asAdministrator, type PictureSession } from './pictureSession.ts'

/**
 * The page that connects other tools: without a key, a new one, its secret, and keys with what is pasted; and the keys
 * of everybody as superusers see them.
 */
export async function keys(session: PictureSession): Promise<void> {
  const { page, person, portal, take } = session
  const owner = await portal.admin()
  await owner.result('PATCH', '/plan/1', { max_keys: 5 })
  await page.goto('/keys')
  await page.getByTestId('key-new').waitFor()
  await take('keys-none')
  const body = { name: '家庭助手', expires_at: new Date(Date.now() + 300_000_000).toISOString() }
  await person.result('POST', '/user/me/keys', body)
  await page.reload()
  await page.getByTestId('key-new').click()
  await page.getByTestId('key-name').fill('笔记本')
  await page.waitForTimeout(300)
  await take('keys-new')
  await page.getByTestId('key-create').click()
  await page.getByTestId('key-secret').waitFor()
  await page.waitForTimeout(300)
  await take('keys-secret')
  await page.goto('/keys?tool=codex')
  await page.getByTestId('tool-test').click()
  await page.getByTestId('tool-test-result').waitFor()
  await page.waitForTimeout(300)
  await take('keys')
  await page.getByTestId('key-row').last().scrollIntoViewIfNeeded()
  await take('keys-rows')
  const menu = page.getByTestId('key-row').last().getByRole('button')
  await menu.click()
  await page.getByTestId('key-change').click()
  await page.getByTestId('key-save').waitFor()
  await page.waitForTimeout(300)
  await take('keys-change')
  await page.keyboard.press('Escape')
  await menu.click()
  await page.getByTestId('key-revoke').click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('keys-revoke')
  await page.keyboard.press('Escape')
  await asAdministrator(session)
  await page.goto('/admin/user?tab=keys')
  await page.getByTestId('key-row').first().waitFor()
  await take('keys-everybody')
}
