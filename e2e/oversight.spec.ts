import { audit as auditEnUS } from '#web/i18n/en-US/audit.ts'
import { oversight as oversightEnUS } from '#web/i18n/en-US/oversight.ts'
import { audit as auditZhCN } from '#web/i18n/zh-CN/audit.ts'
import { oversight as oversightZhCN } from '#web/i18n/zh-CN/oversight.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { answers, TEXTS } from './steps.ts'

const OWN_TEXTS = {
  'zh-CN': { ...auditZhCN, ...oversightZhCN },
  'en-US': { ...auditEnUS, ...oversightEnUS },
} as const

for (const language of ['zh-CN', 'en-US'] as const) {
  const t = { ...TEXTS[language], ...OWN_TEXTS[language] }

  test(`a conversation is read with a reason, which its owner sees, in ${language}`, async ({
    page,
    portal,
    comeAs,
    readIn,
  }) => {
    test.slow()
    const [admin, person] = [await portal.admin(), await portal.person()]
    await readIn(language, admin, person)
    await person.ask('热泵多久回本？', { new_title: '热泵' })
    const [{ conversation_id }] = await person.result<[{ conversation_id: string }]>('GET', '/conv')
    await comeAs(admin)

    await page.goto(`/conv/${conversation_id}`)
    await expect(page.getByTestId('oversight-gate')).toContainText(t['oversight.closed'])
    await checkAccessibility(page)
    await page.getByRole('button', { name: t['oversight.open'] }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: t['oversight.verb'] })).toBeDisabled()
    await dialog.getByRole('radio', { name: t['oversight.kind.fault'] }).check()
    await dialog.getByLabel(t['oversight.text']).fill('the chart was wrong')
    await checkAccessibility(page)
    await dialog.getByRole('button', { name: t['oversight.verb'] }).click()
    await expect(answers(page)).toHaveCount(1)

    await page.goto('/admin/log?tab=oversight')
    await expect(page.getByTestId('oversight-row').first()).toContainText('the chart was wrong')

    await comeAs(person)
    await page.goto(`/conversation?id=${conversation_id}`)
    await expect(page.getByRole('status').filter({ hasText: '“热泵”' })).toBeVisible()
    const line = page.getByTestId('oversight-line')
    await line.getByRole('button', { name: t['oversight.why'] }).click()
    await expect(line).toContainText('the chart was wrong')
    await checkAccessibility(page)
  })

  test(`a change is undone, and refused where somebody has changed the same since, in ${language}`, async ({
    page,
    portal,
    comeAs,
    readIn,
  }) => {
    test.slow()
    const [admin, person] = [await portal.admin(), await portal.person()]
    await readIn(language, admin)
    const limit = (total_ask_count: number) =>
      admin.result('PATCH', `/user/${person.id}/setting`, { openai_api: { total_ask_count } })
    await limit(60)
    await comeAs(admin)
    await page.goto('/admin/log?tab=audit&action=user.limits')
    const row = page.getByTestId('audit-row').filter({ hasText: person.username })
    await row.getByRole('button').first().click()
    await expect(page.getByTestId('drawer')).toContainText(t['audit.field.total_ask_allowed'])
    await expect(page.getByTestId('drawer')).toContainText(t['audit.inherited'])
    await checkAccessibility(page)
    await page.getByTestId('drawer').getByRole('button', { name: t['drawer.close'] }).click()
    // Somebody else is faster.
    await limit(70)
    await row.first().getByTestId('undo').click()
    await expect(page.getByRole('alert').filter({ hasText: t['errors.changedMeanwhile'].slice(0, 6) })).toBeVisible()
    await expect(row).toHaveCount(2)
    await expect(row.nth(1)).toContainText(t['audit.undo.changed'])
    await row.first().getByTestId('undo').click()
    await expect(row.filter({ hasText: t['audit.undo.undone'] })).toHaveCount(1)
  })
}
