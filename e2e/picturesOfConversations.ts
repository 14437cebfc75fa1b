import { seedConversations } from './manyConversations.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'

/**
 * Everybody's conversations: the list, some ticked and about to be assigned, what came of a change, and the words that
 * are typed before it is final.
 */
export async function everyConversation(session: PictureSession): Promise<void> {
  const { page, look, portal, take } = session
  const { language, width, theme } = look
  const admin = await asAdministrator(session)
  await seedConversations(portal, admin, `${width}${theme.slice(0, 1)}${language.slice(0, 2)}`)
  await page.goto('/admin/conversation')
  const rows = page.getByTestId('admin-row')
  await rows.first().waitFor()
  await take('conversations')
  for (const at of [2, 3, 4]) await rows.nth(at).getByRole('checkbox').check()
  await take('conversations-ticked')
  await page.getByTestId('bulk-assign').click()
  await page.getByTestId('person').first().waitFor()
  await page.getByTestId('assign-panel').getByRole('textbox').fill('小')
  await page.waitForTimeout(600)
  await page.getByTestId('person').first().click()
  await take('conversations-assign')
  await page.keyboard.press('Escape')
  await page.getByTestId('bulk-vanish').click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('conversations-vanish')
  await page.keyboard.press('Escape')
  await page.getByTestId('bulk-hide').click()
  await page.getByTestId('bulk-undo').waitFor()
  await take('conversations-hidden')
}
