import { heatPump } from '#testing/webConversations/heatPump.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import type { PictureSession } from './pictureSession.ts'
import { ask, TEXTS } from './steps.ts'

/**
 * Content of the web source: tools, sources, files and pictures; and the placeholder of a conversation that is loading.
 */
export async function content({ page, person, portal, take }: PictureSession): Promise<void> {
  for (const [name, history] of Object.entries({ steps: heatPump, plugins: weekend })) {
    await page.goto(`/conversation?id=${await portal.had(person, history)}`)
    await page.getByTestId('step').first().waitFor()
    await take(name)
    await page.getByTestId('step').evaluateAll(steps => {
      for (const step of steps) step.setAttribute('open', '')
    })
    await page.getByTestId('step').first().locator('pre, li').first().waitFor()
    await page.getByTestId('step').first().scrollIntoViewIfNeeded()
    await take(`${name}-open`)
  }
  await page.getByTestId('citation').first().click()
  await page.getByTestId('citation-card').waitFor()
  await take('citation')
  await page.keyboard.press('Escape')
  const painted = await portal.had(person, poster)
  await page.goto(`/conversation?id=${painted}`)
  await page.getByTestId('pictures').first().waitFor()
  await take('images')
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/conv/${painted}**`, async route => {
    await held.promise
    await route.continue()
  })
  await page.goto(`/conversation?id=${painted}`)
  await page.getByTestId('composer').waitFor()
  await page.waitForTimeout(500)
  await take('loading')
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
}

const THOUGHTS =
  '用户问的是水管。先想想**先后**：\n\n1. 室外的总阀在哪里，冬天要不要放空？\n2. 室内的龙头滴水够不够——`-5 ℃` 以下才需要。\n\n' +
  'Then the words: short sentences, no brand names. '.repeat(12) +
  '\n\n最后给一个清单。'

/** Thoughts while they grow, complete, and without an answer; and an incomplete answer. */
export async function thinking({ page, portal: { simulator }, take }: PictureSession): Promise<void> {
  const begin = async (fault: Parameters<typeof simulator.nextFault>[0], words: string) => {
    await page.goto('/conversation')
    await page.getByTestId('composer').waitFor()
    simulator.nextFault(fault)
    await ask(page, words)
  }
  const step = page.getByTestId('step')
  await begin(
    { kind: 'thoughts', shape: 'reasoning_content', text: THOUGHTS, only: false },
    '冬天水管怎么防冻？\n/simulate pace=30 tokens=120',
  )
  await step.waitFor()
  await page.waitForTimeout(2500)
  await take('thinking-aloud')
  await step.locator('summary').click()
  await page.waitForTimeout(700)
  await take('thinking-open')
  await page.getByTestId('stop').waitFor({ state: 'hidden' })
  await take('thoughts-open')
  await page.reload()
  await step.waitFor()
  await take('thoughts')
  await begin({ kind: 'thoughts', shape: 'think', text: THOUGHTS, only: true }, '冬天水管怎么防冻？')
  await page.getByTestId('message-retry').waitFor()
  await take('thoughts-only')
  await step.locator('summary').click()
  await page.waitForTimeout(400)
  await take('thoughts-only-open')
  for (const reason of ['content_filter', 'network_error']) {
    await begin({ kind: 'finish', after_tokens: 60, reason, done: true }, '冬天水管怎么防冻？\n/simulate tokens=120')
    await page.getByTestId('message-regenerate').waitFor()
    await take(`cut-off-${reason}`)
  }
}

/** The list of conversations, its actions, and the messages after them. */
export async function list({ page, look: { language, width }, take }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  await page.goto('/conversation')
  await page.getByTestId('composer').waitFor()
  if (width < 1000) await page.getByRole('button', { name: texts['conversations.openList'] }).click()
  const openMenu = () => page.getByRole('button', { name: texts['conversations.actionsOfAll'] }).click()
  await openMenu()
  await page.getByRole('menu').waitFor()
  await take('list-menu')
  await page.getByTestId('import').click()
  await page.getByTestId('import-dialog').waitFor()
  await page.waitForTimeout(400)
  await take('import')
  await page
    .getByTestId('import-file')
    .setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"no": "conversations"}') })
  await page.waitForTimeout(800)
  await take('import-refused')
  await page.getByRole('dialog').last().getByRole('button', { name: texts['kit.close'] }).first().click()
  await page.getByTestId('import-dialog').waitFor({ state: 'hidden' })
  const row = page.getByTestId('conversation-row').last()
  await row.hover()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: texts['conversations.delete'] }).click()
  await page.getByRole('button', { name: texts['kit.undo'] }).waitFor()
  await take('undo')
}
