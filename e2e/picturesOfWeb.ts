import type { UpstreamRead } from '#contract/upstreams.ts'
import type { PluginList } from '#contract/plugins.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { PictureSession } from './pictureSession.ts'
import { openDialog } from './steps.ts'

const WEB = 'openai_web'
/** Milliseconds, in which what opens or scrolls has come to rest. */
const AT_REST = 400

/** Answers of each kind of the web source, as they are once complete and with their steps open. */
export async function webAnswers({ page, person, take }: PictureSession): Promise<void> {
  for (const [name, model, text] of [
    ['browsing', 'gpt_4_browsing', '热泵热水器在零下几度还省电？'],
    ['plugins', 'gpt_4_plugins', '周末去哪里走走？'],
    ['interpreter', 'gpt_4_code_interpreter', '把这周的数字画成图\n/simulate shape=interpreter-error'],
    ['dalle', 'gpt_4_dalle', '画一座清晨的灯塔，水彩'],
    ['dalle-refused', 'gpt_4_dalle', '画一张名人的脸\n/simulate shape=dalle-error'],
    ['cut-off', 'gpt_4', '讲讲地铁的历史\n/simulate limit=40'],
  ] as const) {
    const plugins = name === 'plugins' && { openai_web_plugin_ids: await twoPlugins(person) }
    await person.ask(text, { source: WEB, model, ...plugins })
    await page.goto(`/conversation?id=${await latestOf(person)}`)
    await page.locator('[data-testid=message][data-role=assistant]').last().waitFor()
    await page.waitForTimeout(AT_REST)
    await take(`web-${name}`)
    const steps = page.getByTestId('step')
    if ((await steps.count()) === 0) continue
    await steps.evaluateAll(all => {
      for (const step of all) step.setAttribute('open', '')
    })
    await page.waitForTimeout(AT_REST)
    await steps.first().scrollIntoViewIfNeeded()
    await take(`web-${name}-open`)
  }
}

/** A run of code: while it goes on, with its time, its file, and the file that is gone. */
export async function interpreter({ page, person, portal, take }: PictureSession): Promise<void> {
  await person.ask('把这周的数字画成图', { source: WEB, model: 'gpt_4_code_interpreter', new_title: '本周的数字' })
  await page.goto(`/conversation?id=${await latestOf(person)}`)
  await page.getByTestId('interpreter-time').waitFor()
  await page.getByTestId('composer').fill('再按月画一张\n/simulate pace=12')
  await page.getByTestId('send').click()
  await page.getByTestId('stop').waitFor()
  await page.waitForTimeout(3_000)
  await take('interpreter-running')
  await page.getByTestId('stop').click()
  await page.getByTestId('stop').waitFor({ state: 'hidden' })
  await page.waitForTimeout(AT_REST)
  await take('interpreter-stopped')
  for (const account of portal.simulator.web.accounts())
    for (const conversation of account.conversations.values()) conversation.sandbox = {}
  await page.getByRole('button', { name: /\.csv/ }).last().click()
  await page.waitForTimeout(1_500)
  await take('interpreter-file-gone')
}

const PLAN = { name: '计划.md', mimeType: 'text/markdown', buffer: Buffer.from('# 计划\n周一开会') }
const LONG = {
  ...PLAN,
  name: 'quarterly-report-of-the-neighbourhood-association-with-all-appendices-2026-final.md',
}
const DOT = {
  name: '灯塔.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** The files of a question while they are sent, where that fails, and with the question; then one's own files. */
export async function webFiles({ page, look: { language }, person, portal, take }: PictureSession): Promise<void> {
  const { web } = portal.simulator
  const files = await openDialog(page, language, 'userMenu.files')
  await files.getByTestId('own-files').or(files.getByRole('progressbar')).first().waitFor()
  await page.waitForTimeout(AT_REST)
  await take('files-none')
  await page.keyboard.press('Escape')
  await person.ask('你好', { source: WEB, model: 'gpt_4', new_title: '文件' })
  await page.goto(`/conversation?id=${await latestOf(person)}`)
  await page.getByTestId('attach-input').waitFor({ state: 'attached' })
  const attach = (...all: (typeof PLAN)[]) => page.getByTestId('attach-input').setInputFiles(all)
  await attach(PLAN, DOT)
  await page.locator('[data-testid=file-row][data-phase=ready]').nth(1).waitFor()
  web.nextFault('storage', { kind: 'status', status: 503 })
  await attach(LONG)
  await page.locator('[data-testid=file-row][data-phase=failed]').waitFor()
  web.nextFault('storage', { kind: 'silence' })
  await attach({
    ...PLAN,
    name: '设备说明书（扫描）.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(8_000_000),
  })
  await attach({ ...PLAN, name: '全家照片.exe', mimeType: 'application/x-msdownload' })
  await page.waitForTimeout(1_500)
  await take('files-attached')
  const row = page.getByTestId('file-row')
  for (let at = await row.count(); at > 2; at -= 1) await row.last().locator('[data-remove]').click()
  await page.getByTestId('composer').fill('看看这两个文件')
  await page.getByTestId('send').click()
  await page.getByTestId('stop').waitFor({ state: 'hidden' })
  await page.waitForTimeout(AT_REST)
  await take('files-asked')
  await attach(LONG)
  await page.locator('[data-testid=file-row][data-phase=ready]').waitFor()
  const dialog = await openDialog(page, language, 'userMenu.files')
  await dialog.getByTestId('own-file').nth(2).waitFor()
  await page.waitForTimeout(AT_REST)
  await take('files-own')
  await dialog.getByTestId('own-file').last().getByRole('button').click()
  await take('files-delete')
  await page.keyboard.press('Escape')
}

/** The dialog of a new conversation with the web source, and what a conversation says of its account. */
export async function webConversation({ page, person, portal, take }: PictureSession): Promise<void> {
  const { web } = portal.simulator
  const admin = await portal.admin()
  await page.goto('/conversation')
  const open = page.getByTestId('new-conversation')
  if (!(await open.isVisible())) await page.getByRole('banner').getByRole('button').first().click()
  await open.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('new-conversation-source').locator('input[value=openai_web]').check()
  await page.waitForTimeout(AT_REST)
  await take('new-conversation-web')
  await page.keyboard.press('Escape')
  const setTeam = async (isOn: boolean) => {
    await admin.result('PUT', '/system/config', {
      openai_web: { enable_team_subscription: isOn, team_account_id: isOn ? 'team-1' : null },
    })
    await admin.result('PATCH', `/user/${person.id}/setting`, { openai_web: { use_team: isOn } })
  }
  const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
  const account = upstreams.find(({ source, removable }) => source === WEB && !removable)?.id ?? 0
  await setTeam(true)
  await person.ask('这周做了什么？', { source: WEB, model: 'gpt_4', new_title: '这一周' })
  const id = await latestOf(person)
  const show = async (name: string) => {
    await page.goto(`/conversation?id=${id}`)
    await page.locator('[data-testid=message][data-role=assistant]').last().waitFor()
    await page.waitForTimeout(1_200)
    await take(name)
  }
  await show('account-team')
  await admin.result('PATCH', `/user/${person.id}/setting`, { openai_web: { use_team: false } })
  await show('account-team-refused')
  await admin.result('PATCH', `/user/${person.id}/setting`, { openai_web: { use_team: true } })
  web.nextFault('history', { kind: 'status', status: 500 }, Infinity)
  await show('account-stored-copy')
  web.nextFault('ask', { kind: 'status', status: 429, retry_after_seconds: 40 })
  await person.ask('下周呢？', { source: WEB, model: 'gpt_4' })
  await show('account-cooling')
  await admin.result('POST', `/system/upstreams/${account}/pause`)
  await show('account-gone')
  await admin.result('POST', `/system/upstreams/${account}/resume`)
  web.clearFaults()
  await setTeam(false)
}

async function latestOf(person: PictureSession['person']): Promise<string> {
  const records = await person.result<ConversationRecord[]>('GET', '/conv')
  return records[0]?.conversation_id ?? ''
}

async function twoPlugins(person: PictureSession['person']): Promise<string[]> {
  const { items } = await person.result<PluginList>('GET', '/chat/openai-plugins/installed')
  return items.slice(0, 2).map(({ id }) => id)
}
