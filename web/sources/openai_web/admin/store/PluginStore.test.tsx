import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Plugin } from '#contract/plugins.ts'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { answerCalls, refusal, success } from '#web/foundation/api.testing.ts'
import { anUpstream } from '../../../../admin/upstreams/state/builders.testing.ts'
import { PluginStore } from './PluginStore.tsx'

const aPlugin = (id: string, is_installed: boolean, more: Partial<Plugin> = {}): Plugin => ({
  id,
  namespace: id,
  manifest: { name_for_human: `The ${id}`, description_for_human: `Does ${id}.`, auth: { type: 'none' } },
  domain: `${id}.example`,
  status: 'approved',
  user_settings: { is_installed, is_enabled: is_installed },
  ...more,
})
const listed = (items: Plugin[], count = items.length) =>
  success({ items, count, upstream_id: 3, read_time: new Date().toISOString() })
const accounts = [
  anUpstream({ id: 3, source: 'openai_web', label: 'Main' }),
  anUpstream({ id: 4, source: 'openai_web', label: 'Second' }),
]
const Store = () => <PluginStore accounts={accounts} />
async function openStore(address: string) {
  await loadAdminTexts()
  return openScreen(Store, address)
}
const card = (name: string) => page.getByTestId('plugin-card').filter({ hasText: name })

beforeEach(() => page.viewport(1200, 800))

describe('the store of plugins', () => {
  test('asks the account and the shelf of its address, and shows a change before it is answered', async () => {
    const made = answerCalls({
      'GET /chat/openai-plugins': listed([aPlugin('maps', false), aPlugin('wiki', true)], 40),
      'GET /chat/openai-plugins/installed': listed([aPlugin('wiki', true)]),
      'PATCH /chat/openai-plugins/maps/user-settings': success(aPlugin('maps', true)),
    })
    const { router } = await openStore('/?plugins=most_popular&page=2&words=x')
    await expect.element(card('The maps')).toBeVisible()
    expect(Object.fromEntries(made.find(({ call }) => call.includes('openai-plugins'))?.query ?? [])).toEqual({
      ...{ upstream_id: '3', offset: '12', limit: '12', category: 'most_popular', search: 'x' },
    })
    await expect.element(page.getByText('13–14 / 40')).toBeVisible()
    await card('The maps').getByTestId('install-plugin').click()
    await expect.element(card('The maps')).toMatchTextContent('已启用')
    expect(made.find(({ call }) => call.startsWith('PATCH'))).toMatchObject({ body: { is_installed: true } })
    await page.getByLabelText('账号').selectOptions('Second')
    await expect.poll(() => made.at(-1)?.query.get('upstream_id')).toBe('4')
    expect(router.state.location.search).toMatchObject({ account: '4', plugins: 'most_popular' })
  })

  test('takes back a change that fails, and says which plugin cannot be installed at all', async () => {
    const signIn = aPlugin('mail', false, { manifest: { name_for_human: 'The mail', auth: { type: 'oauth' } } })
    answerCalls({
      'GET /chat/openai-plugins/installed': listed([aPlugin('wiki', true), signIn]),
      'PATCH /chat/openai-plugins/wiki/user-settings': refusal('openai.500'),
    })
    await openStore('/')
    await expect.element(page.getByText('已安装 1 个')).toBeVisible()
    await expect.element(card('The mail')).toMatchTextContent('装不了')
    await card('The wiki').getByTestId('uninstall-plugin').click()
    await expect.element(page.getByRole('region', { name: '通知' })).toMatchTextContent(/502 上游出错了/)
    await expect.element(card('The wiki')).toMatchTextContent('已启用')
  })

  test('says why the list could not be read', async () => {
    answerCalls({ 'GET /chat/openai-plugins/installed': refusal('notPlusChatgptAccount') })
    await openStore('/')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/没能取得插件列表.*-1 共享账号没有付费订阅/)
  })
})
