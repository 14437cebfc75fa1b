import type { Page } from '@playwright/test'
import type { UpstreamDraftTest, UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'
import { aLoad, anUpstream, anUpstreamOfSettings } from '#web/admin/upstreams/state/builders.testing.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import { TEXTS } from './steps.ts'

/** The page of the accounts as the mockup has it: with states that a portal has only after days. */
export async function upstreams(session: PictureSession): Promise<void> {
  const { page, look, take } = session
  const t = TEXTS[look.language]
  await asAdministrator(session)
  const drawer = page.getByTestId('drawer')
  await answerAsDrawn(page, UPSTREAMS)
  await page.goto('/admin/openai_settings')
  await page.getByTestId('admin-row').first().waitFor()
  await page.waitForTimeout(400)
  await take('accounts')
  await page.goto('/admin/openai_settings?open=new')
  await drawer.getByLabel(t['upstreams.field.label'], { exact: true }).fill('Third')
  await drawer.getByLabel(t['upstreams.field.base_url'], { exact: true }).fill('https://upstream.example.org/v1/')
  await drawer.getByLabel(t['upstreams.field.secret'], { exact: true }).fill(`sk-${'0'.repeat(48)}x7Qk`)
  await page.getByTestId('run-test').click()
  await drawer.locator('[data-outcome]').first().waitFor()
  await take('accounts-add')
  await drawer.getByText(t['upstreams.models.picked'], { exact: true }).click()
  await drawer.getByTestId('model-row').first().scrollIntoViewIfNeeded()
  await take('accounts-models')
  await page.getByTestId('discard').click()
  await page.getByRole('dialog').getByRole('button', { name: t['drawer.leaveVerb'] }).click()
  await page.goto('/admin/openai_settings?open=4')
  await drawer.locator('[data-outcome]').first().waitFor()
  await take('accounts-refused')
  await page.getByTestId('remove-upstream').click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('accounts-remove')
  await page.unroute('**/api/system/upstreams**')
  await answerAsDrawn(page, [])
  await page.goto('/admin/openai_settings')
  await page.getByText(t['upstreams.nothing']).waitFor()
  await take('accounts-none')
  await page.unroute('**/api/system/upstreams**')
}

async function answerAsDrawn(page: Page, stored: readonly UpstreamRead[]): Promise<void> {
  await page.route('**/api/system/upstreams**', route => {
    const { pathname } = new URL(route.request().url())
    const result = pathname.endsWith('/loads')
      ? { now: new Date().toISOString(), loads: LOADS }
      : pathname.endsWith('/test')
        ? TESTED
        : stored
    return route.fulfill({ json: { code: 200, message: 'tips.requestSuccess', result } })
  })
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const healthy = anUpstream()
if (healthy.last_test === null) throw new Error('it was tested')
const { last_test } = healthy

const UPSTREAMS: UpstreamRead[] = [
  anUpstreamOfSettings({ id: 1, label: 'Main', base_url: 'https://api.openai.com/v1/', last_tested: ago(2) }),
  anUpstream({
    id: 2,
    label: 'Workshop team',
    health: {
      state: 'cooling',
      since: ago(1),
      until: new Date(Date.now() + 252_000).toISOString(),
      message: 'errors.openai.429',
    },
  }),
  anUpstream({
    id: 3,
    base_url: 'http://192.168.1.20:11434/v1/',
    last_test: { ...last_test, message: 'errors.httpError' },
  }),
  anUpstream({
    id: 4,
    label: 'Old spare',
    health: { state: 'attention', since: ago(90), until: ago(-1), message: 'errors.openai.401' },
    last_test: {
      ...last_test,
      duration: 180,
      message: 'errors.openai.401',
      listed: null,
      steps: [
        { step: 'address', outcome: 'ok' },
        { step: 'key', outcome: 'failed' },
        { step: 'models', outcome: 'untried' },
      ],
    },
  }),
  anUpstream({ id: 5, label: 'Project key', base_url: null, last_tested: ago(2) }),
  anUpstream({ id: 6, label: 'Lab gateway', paused_since: '2026-11-18T06:00:00Z', paused_by: 7 }),
]

const LOADS: UpstreamLoad[] = [
  aLoad({ id: 1, places: 1 }),
  aLoad({ id: 2, running: 0, used: 100, allowed: 100, conversations: 231 }),
  aLoad({ id: 3, running: 0, places: 1, used: 12, conversations: 188 }),
  aLoad({ id: 4, running: 0, places: 1, used: 0, allowed: null, conversations: 74 }),
  aLoad({ id: 5, running: 2, places: 8, used: 1_407, allowed: null, conversations: 179 }),
  aLoad({
    id: 6,
    running: 0,
    places: 4,
    used: 0,
    allowed: null,
    conversations: 0,
    paused_by: { id: 7, username: 'zhouming', nickname: '周明' },
  }),
]

const TESTED: UpstreamDraftTest = {
  ...last_test,
  listed: 12,
  proxy: 'settings',
  models: ['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'o3-mini', 'qwen3:32b', 'llama3.3:70b'].map(name => ({
    code: name,
    name,
    context_length: name.startsWith('gpt-4') ? 128_000 : null,
  })),
}
