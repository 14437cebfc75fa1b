import { peopleOf } from './manyPeople.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'

/**
 * Everybody, a person in the drawer with changes, many chosen and what a change of them would do, and a new account.
 */
export async function users(session: PictureSession): Promise<void> {
  const { page, portal, take } = session
  const admin = await asAdministrator(session)
  const ids = await peopleOf(portal, admin)
  const rowOf = (username: string) => page.locator(`[data-testid=admin-row][data-key="${ids[username]}"]`)
  await page.goto('/admin/user')
  await rowOf('meiling').waitFor()
  await take('users')
  for (const username of ['faiz', 'chenjg', 'meiling']) await rowOf(username).getByRole('checkbox').click()
  await take('users-selected')
  await page.getByTestId('bulk-extend').click()
  await page.getByTestId('dry-run').waitFor()
  await page.waitForTimeout(300)
  await take('users-extend')
  await page.keyboard.press('Escape')
  await page.goto(`/admin/user?open=${ids['meiling']}`)
  await page.getByTestId('drawer').getByRole('tab').first().waitFor()
  await take('users-account')
  await page.getByTestId('drawer').getByRole('tab').nth(1).click()
  await page.getByTestId('person-plan').waitFor()
  await take('users-plan')
  await page.getByTestId('drawer').getByRole('tab').nth(3).click()
  await page.getByTestId('allowance-preview').waitFor()
  await page.waitForTimeout(300)
  await take('users-api')
  await page.getByTestId('slot-strip').getByRole('slider').first().press('ArrowRight')
  await page.getByTestId('drawer').getByRole('switch').first().press('Space')
  await take('users-changed')
  await page.getByTestId('allowance-preview').scrollIntoViewIfNeeded()
  await take('users-preview')
  await page.getByTestId('discard').click()
  await page.getByTestId('drawer').getByRole('tab').last().click()
  await page.getByTestId('session').first().waitFor()
  await take('users-records')
  await page.goto('/admin/user?open=new')
  await page.getByTestId('create-user').waitFor()
  await take('users-new')
}
