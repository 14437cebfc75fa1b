/**
 * node scripts/node.mjs e2e/pictures.ts FOLDER [width-language-theme ...] [states ...]: takes screenshots of all
 * screens and states, or of those whose function is named, to be compared with the mockups by eye. Not a test. Needs a
 * built page.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { LANGUAGES } from '#contract/preferences.ts'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'
import { bringSession } from './journey.ts'
import { content, list, thinking } from './picturesOfContent.ts'
import { asAdministrator, type Look, type PictureSession } from './pictureSession.ts'
import { everyConversation } from './picturesOfConversations.ts'
import { instructions } from './picturesOfInstructions.ts'
import { keeping } from './picturesOfKeeping.ts'
import { keys } from './picturesOfKeys.ts'
import { audit, logs } from './picturesOfLogs.ts'
import { plans } from './picturesOfPlans.ts'
import { plugins, pluginStore } from './picturesOfPlugins.ts'
import { settings } from './picturesOfSettings.ts'
import { shares } from './picturesOfShares.ts'
import { troubles } from './picturesOfTroubles.ts'
import { upstreams } from './picturesOfUpstreams.ts'
import { users } from './picturesOfUsers.ts'
import { interpreter, webAnswers, webConversation, webFiles } from './picturesOfWeb.ts'
import { arkose, shelves, sync, webAccount } from './picturesOfWebAccounts.ts'
import { type Account, startPortal } from './startPortal.ts'
import { ask, openDialog, TEXTS } from './steps.ts'

const ANSWER =
  '十月一共用了 **412 度**。热水器占三分之一，是最大的一项；而且有 41 度花在半夜保温上，这部分换不换机器都能省。\n\n' +
  '| 用途 | 用电（度） | 占比 | 备注 |\n|---|--:|--:|---|\n| 电热水器 | 138 | 33% | 其中保温 41 度 |\n| 空调与取暖 | 104 | 25% | 主要在月底降温后 |\n| 厨房 | 92 | 22% | 含洗碗机 |\n\n' +
  '按全年平均 `COP = 3` 算，回本年数是：\n\n$$T = \\frac{C_1 - C_2}{12 \\cdot E \\cdot p} \\approx 4.0$$\n\n```python\nrows.groupby("用途")["度"].sum()  # 按用途\n```\n\n' +
  '1. 先把保温时段改掉\n2. 再比较报价\n\n> 实测 4–6 ℃ 时 COP 为 2.1。\n'
const TITLES = [
  '给物业写一封关于电梯的信',
  '显微镜数据的基线校正',
  '外婆的药和葡萄柚能不能一起吃',
  'Pandas 按小时重采样',
  '小学三年级：鸡兔同笼的三种讲法',
  'Rental agreement, plain English',
]
const HEIGHT = 900

const STATES = [
  conversationScreen,
  branches,
  content,
  plugins,
  webAnswers,
  interpreter,
  webFiles,
  webConversation,
  thinking,
  list,
  dialogs,
  limits,
  shares,
  instructions,
  keeping,
  keys,
  troubles,
  office,
  logs,
  audit,
  everyConversation,
  settings,
  upstreams,
  pluginStore,
  plans,
  users,
  sync,
  webAccount,
  shelves,
  arkose,
]

const [folder = 'pictures', ...wanted] = process.argv.slice(2)
const wantedLooks = wanted.filter(name => /^\d/.test(name))
const wantedStates = wanted.filter(name => !/^\d/.test(name))
const portal = await startPortal({
  web: true,
  environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1', COMMONS_OPENAI_API_SHARED_LIMIT: '50' },
})
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
try {
  for (const look of looks()) await takePictures(look)
} finally {
  await browser.close()
  await portal.close()
}

function looks(): Look[] {
  const all = [1440, 820, 390, 360].flatMap(width =>
    LANGUAGES.flatMap(language => (['light', 'dark'] as const).map(theme => ({ width, language, theme }))),
  )
  return all.filter(look =>
    wantedLooks.length === 0 ? look.language !== 'ms-MY' && look.width !== 360 : wantedLooks.includes(nameOf(look)),
  )
}

function nameOf({ width, language, theme }: Look): string {
  return `${width}-${language}-${theme}`
}

async function takePictures(look: Look): Promise<void> {
  const { width, language, theme } = look
  const phone = width < 760
  const context = await browser.newContext({
    baseURL: portal.url,
    viewport: { width, height: phone ? 844 : HEIGHT },
    colorScheme: theme,
    locale: 'zh-CN',
    reducedMotion: 'reduce',
    ...(phone && { isMobile: true, hasTouch: true }),
  })
  await context.addInitScript(given => localStorage.setItem('language', given), language)
  const page = await context.newPage()
  const to = join(folder, nameOf(look))
  mkdirSync(to, { recursive: true })
  let count = 0
  const take = async (name: string) => {
    await page.evaluate(() => document.fonts.ready.then(() => null))
    // Content out of view is rendered in the frame after it scrolls into view.
    await page.evaluate(
      () =>
        new Promise(drawn => {
          requestAnimationFrame(() => requestAnimationFrame(drawn))
        }),
    )
    await page.screenshot({ path: join(to, `${String(++count).padStart(2, '0')}-${name}.png`), animations: 'disabled' })
  }
  try {
    if (wantedStates.length === 0) await outside(page, look, take)
    const person = await portal.person()
    await person.result('PATCH', '/user/me/preferences', { language })
    await seed(person)
    await bringSession(context, person, portal.url)
    const session = { page, look, person, portal, take }
    for (const states of STATES) {
      if (wantedStates.length > 0 && !wantedStates.includes(states.name)) continue
      await selectTheApi(page)
      await states(session).catch((error: unknown) => console.error(`${nameOf(look)}: ${String(error).split('\n')[0]}`))
    }
  } finally {
    await context.close()
  }
  console.log(nameOf(look), count)
}

/**
 * Faults and limits of the pictures are of the API, where a new conversation would be of the web source, or of whatever
 * was used last.
 */
async function selectTheApi(page: Page): Promise<void> {
  await page.goto('/conversation')
  await page.evaluate(() => {
    localStorage.setItem('lastSelectedSource', 'openai_api')
    localStorage.removeItem('lastSelectedModel')
  })
}

async function outside(page: Page, { language }: Look, take: PictureSession['take']): Promise<void> {
  for (const [name, path] of [
    ['home', '/home'],
    ['login', '/login'],
    ['404', '/no/such'],
    ['403', '/error/403'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await take(name)
  }
  await page.goto('/login')
  await page.getByTestId('username').fill('somebody')
  await page.getByTestId('password').fill('not-the-password')
  await page.getByTestId('sign-in').click()
  await page.getByText(TEXTS[language]['errors.badCredentials']).waitFor()
  await take('login-refused')
}

async function seed(person: Account): Promise<void> {
  for (const new_title of TITLES) await person.ask('你好\n/simulate tokens=20', { new_title })
  portal.simulator.nextAnswer(ANSWER)
  await person.ask('这是家里十月的用电记录。帮我按用途汇总，再算算热水器换成热泵型的，多久能回本？', {
    new_title: '热水器换热泵，多久回本',
  })
}

async function conversationScreen({ page, look: { language, width }, take }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  await page.goto('/conversation')
  await page.getByTestId('composer').waitFor()
  await page.locator('first-paint').waitFor({ state: 'detached' })
  await page.getByTestId(width < 1000 ? 'meter-pill' : 'meter-details').waitFor()
  await take('empty')
  const openList = async () => {
    if (width < 1000) await page.getByRole('button', { name: texts['conversations.openList'] }).click()
  }
  await openList()
  await page.getByTestId('conversation-row').first().waitFor()
  if (width < 1000) await take('drawer')
  await page.getByTestId('conversation-row').filter({ hasText: '热水器' }).getByRole('link').click()
  await page.locator('[data-testid=message][data-role=assistant] .katex').first().waitFor()
  await page.waitForTimeout(300)
  await take('conversation')
  await page.getByTestId('thread').evaluate(thread => thread.scrollTo(0, 0))
  await page.waitForTimeout(300)
  await take('conversation-top')
  await openList()
  await page.getByTestId('search').fill('保温')
  await page.waitForTimeout(900)
  await take('search')
  await page.getByTestId('search').fill('低温工况')
  await page.waitForTimeout(900)
  await take('search-nothing')
  await page.getByTestId('search').fill('')
  if (width < 1000) await page.keyboard.press('Escape')
  await page.goto(`/conv/${new URL(page.url()).searchParams.get('id')}`)
  await page.locator('[data-testid=message] code [class]').first().waitFor()
  await take('history')
}

async function dialogs({ page, look: { language, width }, take }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  await page.goto('/conversation')
  await page.getByTestId('composer').waitFor()
  await page.getByTestId('user-menu').click()
  await page.getByRole('menu').waitFor()
  await take('user-menu')
  await page.keyboard.press('Escape')
  for (const item of ['userMenu.profile', 'userMenu.resetPassword', 'userMenu.preferences'] as const) {
    const dialog = await openDialog(page, language, item)
    await page.waitForTimeout(400)
    await take(item.replace('userMenu.', ''))
    await dialog.getByRole('button', { name: texts['kit.close'] }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  if (width >= 760) {
    await page.keyboard.press('Control+/')
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(300)
    await take('shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  if (width < 1000) await page.getByRole('button', { name: texts['conversations.openList'] }).click()
  await page.getByTestId('new-conversation').click()
  await page.getByTestId('new-conversation-title').waitFor()
  await page.waitForTimeout(400)
  await take('new-conversation')
  await page.keyboard.press('Escape')
  await page.getByTestId('new-conversation-title').waitFor({ state: 'hidden' })
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: texts['userMenu.logout'] }).click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('confirm')
}

async function branches({ page, look: { language, width }, take }: PictureSession): Promise<void> {
  const texts = TEXTS[language]
  await page.goto('/conversation')
  await page.getByTestId('composer').waitFor()
  await ask(page, '哪一种最省电？\n/simulate tokens=60')
  await page.getByTestId('message-regenerate').waitFor()
  await page.getByTestId('message-edit').click()
  await page.getByTestId('message-editor').waitFor()
  await take('editing')
  await page.keyboard.press('Escape')
  await page.getByTestId('message-regenerate').click()
  await page.getByTestId('branch-previous').waitFor()
  await page.getByTestId('stop').waitFor({ state: 'hidden' })
  await take('branches')
  await page.getByTestId('thread').getByRole('button', { name: texts['kit.more'] }).last().click()
  await page.getByRole('menu').waitFor()
  await take('answer-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: texts['conversations.actions'] }).click()
  await page.getByRole('menu').waitFor()
  await take('conversation-menu')
  await page.keyboard.press('Escape')
  await page.getByTestId('composer').locator('xpath=ancestor::form').getByRole('button', { name: /GPT/ }).click()
  await page.getByRole('menu').waitFor()
  await take('model-menu')
  await page.keyboard.press('Escape')
  await (width < 1000 ? page.getByTestId('meter-pill') : page.getByTestId('meter-details')).click()
  await page.waitForTimeout(400)
  await take('meter')
  await page.keyboard.press('Escape')
}

/** Reaches one limit after the other. */
async function limits({ page, look: { language }, person, take }: PictureSession): Promise<void> {
  const admin = await portal.admin()
  const bound = async (openai_api: object) => {
    await admin.result('PATCH', `/user/${person.id}/setting`, { openai_api })
    await page.goto('/conversation')
    await page.getByTestId('composer').waitFor()
    await page.waitForTimeout(800)
  }
  const free = {
    rate_limits: [],
    daily_available_time_slots: [],
    valid_until: null,
    max_conv_count: -1,
    total_ask_count: -1,
    per_model_ask_count: {},
  }
  await bound({
    ...free,
    rate_limits: [{ window_seconds: 3600, max_requests: 10 }],
    per_model_ask_count: { gpt_4: 12 },
    total_ask_count: 302,
    max_conv_count: 30,
  })
  await openDialog(page, language, 'userMenu.profile')
  await page.waitForTimeout(600)
  await take('profile-limits')
  await bound({ ...free, rate_limits: [{ window_seconds: 3600, max_requests: 1 }] })
  await take('limit-window')
  const hour = new Date().getUTCHours()
  const slot = (from: number) => `${String(from % 24).padStart(2, '0')}:00:00`
  await bound({ ...free, daily_available_time_slots: [{ start_time: slot(hour + 2), end_time: slot(hour + 4) }] })
  await take('limit-slot')
  await bound({ ...free, valid_until: '2026-01-01T00:00:00.000Z' })
  await take('limit-expired')
  await bound({ ...free, max_conv_count: 1 })
  await take('limit-conversations')
  await bound({ ...free, total_ask_count: 0 })
  await take('limit-total')
  await bound(free)
}

async function office(session: PictureSession): Promise<void> {
  const { page, take } = session
  await asAdministrator(session)
  for (const name of ['system']) {
    await page.goto(`/admin/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(300)
    await take(`admin-${name}`)
  }
}
