import { describe, expect, test } from 'vitest'
import { Plugin } from '#contract/plugins.ts'
import { pageIn, pluginIn } from './plugins.ts'

describe('a plugin of an upstream', () => {
  test('has what is shown of it, and neither tokens nor addresses to fetch', () => {
    const plugin = pluginIn({
      id: 'plugin-1',
      namespace: 'maps',
      domain: 'maps.example',
      status: 'approved',
      oauth_client_id: 'abc',
      categories: [{ id: 'newly_added', title: 'New' }, { id: 7, title: 'x' }, null],
      user_settings: { is_installed: true, is_authenticated: 'yes', secret: 's' },
      manifest: {
        schema_version: 'v1',
        name_for_human: '地图',
        description_for_human: 'd'.repeat(9_000),
        api: { type: 'openapi', url: 'https://maps.example/openapi.yaml' },
        auth: { type: 'service_http', verification_tokens: { openai: 'secret' } },
        logo_url: 'https://track.example/logo.png',
        legal_info_url: 'https://maps.example/legal',
        custom: 'x',
      },
    })
    expect(Plugin.parse(plugin)).toEqual(plugin)
    expect(plugin).toMatchObject({
      categories: [{ id: 'newly_added', title: 'New' }],
      user_settings: { is_installed: true, is_authenticated: null },
      manifest: { name_for_human: '地图', logo_url: null, api: { type: 'openapi' }, auth: { type: 'service_http' } },
    })
    expect(plugin?.manifest?.description_for_human).toHaveLength(8_000)
    expect(JSON.stringify(plugin)).not.toMatch(/secret|track|custom/)
  })
  test.each([[null], ['plugin-1'], [{}], [{ id: 7 }], [{ id: '../x' }], [{ id: 'a b' }]])('is not %j', given => {
    expect(pluginIn(given)).toBe(null)
  })
  test('may say nothing but its id', () => {
    expect(Plugin.safeParse(pluginIn({ id: 'a', manifest: 'x', categories: {}, user_settings: [] })).success).toBe(true)
  })
})

describe('a page of plugins', () => {
  test('is without what is none, and counts it', () => {
    expect(pageIn({ items: [{ id: 'a' }, 7], count: 40 })).toMatchObject({ items: [{ id: 'a' }], count: 40, given: 2 })
  })
  test.each([[-1], [1.5], ['9'], [null], [Number.MAX_VALUE]])('with %j in place of a count counts itself', count => {
    expect(pageIn({ items: [{ id: 'a' }, { id: 'b' }], count })?.count).toBe(2)
  })
  test('of more than 250 is cut', () => {
    const items = Array.from({ length: 251 }, (_, at) => ({ id: `a${at}` }))
    expect(pageIn({ items })?.items).toHaveLength(250)
  })
  test.each([[{}], [{ items: null }], [{ items: {} }]])('is not %j', answer => {
    expect(pageIn(answer)).toBe(null)
  })
})
