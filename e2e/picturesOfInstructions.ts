import type { PictureSession } from './pictureSession.ts'
import { ask, openDialog, TEXTS, untilAnswered } from './steps.ts'

const OWN = {
  about_me: '我在上海，读研二，做荧光显微镜。家里两个人，一台储水式热水器。',
  how_to_answer: '答案先说结论，再说理由；代码用 Python，注释写中文；不要列超过五条。',
  is_on: true,
  with_keys: false,
}

/** What a model is told first: the line below the title, all of it opened, and one's own in the profile. */
export async function instructions({ page, person, portal, look: { language }, take }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  const admin = await portal.admin()
  await admin.result('PUT', '/system/settings', {
    portal: { instructions: '用提问的语言回答。不知道就说不知道，不编出处。' },
  })
  await page.goto('/conversation')
  await page.getByTestId('composer').waitFor()
  if ((page.viewportSize()?.width ?? 0) >= 760) {
    await page.getByTestId('instructions').waitFor()
    await take('instructions-none')
  }
  await person.result('PUT', '/user/me/instructions', OWN)
  await page.reload()
  await ask(page, '换成热泵型的，多久能回本？')
  await untilAnswered(page)
  if ((page.viewportSize()?.width ?? 0) >= 760) {
    await page.getByTestId('instructions').click()
    await page.getByTestId('instructions-edit').waitFor()
    await take('instructions')
    await page.getByTestId('instructions-edit').click()
    await page.getByRole('textbox', { name: texts['instructions.ofConversation'] }).fill('电价按 0.62 元算。')
    await take('instructions-edit')
    await page.keyboard.press('Escape')
  }
  const dialog = await openDialog(page, language, 'userMenu.profile')
  await take('profile')
  await dialog.getByRole('button', { name: texts['profile.tab.instructions'] }).click()
  await dialog.getByRole('textbox', { name: texts['instructions.aboutMe'] }).waitFor()
  await take('instructions-own')
  await page.keyboard.press('Escape')
}
