import { describe, expect, test } from 'vitest'
import type { PluginList } from '#contract/plugins.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { startPortal } from '#testing/portal.ts'

describe('the web account of the demonstration', () => {
  test('is shown as the one in use that it is, and its plugins can be looked through; of none, none are listed', async () => {
    const { admin } = await startPortal({ environment: { OPENAI_BASE_URL: '', OPENAI_API_KEY: '' } })
    const shown = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
    const web = shown.find(({ source }) => source === 'openai_web')
    expect(web).toMatchObject({ removable: false, enabled: true })
    const store = (query: string) => admin.result<PluginList>('GET', `/chat/openai-plugins?${query}`)
    const all = await store(`upstream_id=${web?.id}`)
    expect(all.items.length).toBeGreaterThan(0)
    expect(await store('limit=0')).toMatchObject({ items: [], count: all.count })
    expect((await store('limit=1')).items).toHaveLength(1)
  })
})

describe('the check of accounts', () => {
  test('says of a portal without a web account what a sync says', async () => {
    const { admin } = await startPortal()
    const saysSo = { message: 'errors.noWebAccount' }
    expect(await admin.call('GET', '/system/check-openai-web-account')).toMatchObject(saysSo)
    expect(await admin.call('POST', '/system/action/sync-openai-web-conv')).toMatchObject(saysSo)
  })
})
