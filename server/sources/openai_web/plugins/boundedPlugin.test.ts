import { describe, expect, test } from 'vitest'
import { pluginWith } from '#testing/plugins.ts'
import { boundedPlugin } from './boundedPlugin.ts'

describe('a plugin as people are shown it', () => {
  test('has texts of bounded length, without control characters and without what turns text round', () => {
    const { namespace, manifest } = boundedPlugin(
      pluginWith({
        namespace: 'n'.repeat(1_000_000),
        manifest: {
          name_for_human: 'Wiki\u0000\u202Egro.evil\u2069',
          description_for_model: `line 1\nline 2${'x'.repeat(100_000)}`,
          description_for_human: '\uD83D\uDE00'.repeat(2_000),
        },
      }),
    )
    expect(namespace).toHaveLength(120)
    expect(manifest?.name_for_human).toBe('Wikigro.evil')
    expect(manifest?.description_for_model).toHaveLength(8_000)
    expect(manifest?.description_for_model).toContain('line 1\nline 2')
    expect(manifest?.description_for_human?.isWellFormed()).toBe(true)
  })

  test('has no addresses but of web pages', () => {
    const addressOf = (legal_info_url: string) =>
      boundedPlugin(pluginWith({ manifest: { legal_info_url } })).manifest?.legal_info_url
    expect(['https://a.example/terms', 'http://a.example/'].map(addressOf)).toEqual([
      'https://a.example/terms',
      'http://a.example/',
    ])
    expect(
      ['javascript:alert(1)', 'data:text/html,x', '//a.example', 'no', `https://a/${'x'.repeat(2_000)}`].map(addressOf),
    ).toEqual([null, null, null, null, null])
  })

  test('has known fields only', () => {
    const plugin = boundedPlugin({
      ...pluginWith({ manifest: { auth: { type: 'oauth', client_url: 'https://a.example' }, api: 'text', other: {} } }),
      other: 'x'.repeat(1_000_000),
      categories: Array.from({ length: 50 }, (_, at) => ({ id: String(at), title: 'c', more: 'x' })),
    })
    expect(plugin).not.toHaveProperty('other')
    expect(plugin.manifest).toMatchObject({ auth: { type: 'oauth' }, api: { type: null } })
    expect(plugin.manifest).not.toHaveProperty('other')
    expect(plugin.categories).toHaveLength(12)
    expect(plugin.categories?.[0]).toEqual({ id: '0', title: 'c' })
  })
})
