import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration.ts'
import { openEndpoints, type OwnEndpoint } from './endpoints.ts'

const OWN: OwnEndpoint = { upstream_id: 3, url: 'https://models.example.org/v1/', key: null }
const SIMULATOR = 'http://127.0.0.1:4711/v1/'
const configured = (openai_api: object, key: string | null = null, auth: object = {}, env = {}) =>
  openEndpoints({
    configuration: () => Configuration.parse({ openai_api, auth }),
    openaiApiKey: () => key,
    demonstrationUrl: SIMULATOR,
    env,
  })

describe('the shared upstream', () => {
  test('is the demonstration until there is a key or an address', () => {
    const upstreams = configured({})
    expect(upstreams.isDemonstration()).toBe(true)
    expect(upstreams.find('openai_api', 'gpt_4', null)).toMatchObject({
      base_url: SIMULATOR,
      key: null,
      model_name: 'gpt-4',
    })
    expect(configured({}, 'sk-1').isDemonstration()).toBe(false)
    expect(configured({ openai_base_url: 'http://127.0.0.1:11434/v1/' }).isDemonstration()).toBe(false)
  })
  test('is OpenAI’s with a key alone, and any other by its address, private ones as well', () => {
    expect(configured({}, 'sk-1').find('openai_api', 'gpt_4', null)).toMatchObject({
      base_url: 'https://api.openai.com/v1/',
      key: 'sk-1',
      addresses: 'any',
    })
    expect(configured({ openai_base_url: 'http://10.0.0.5:8000/v1' }).find('openai_api', 'gpt_4', null)).toMatchObject({
      base_url: 'http://10.0.0.5:8000/v1',
      key: null,
      addresses: 'any',
    })
  })
  test('is asked by the name it has for a model, and for no model without one', () => {
    const upstreams = configured({
      model_code_mapping: { gpt_4: 'gpt-4o' },
      further_models: [{ code: 'local', label: 'Local', upstream_name: 'qwen2.5:7b' }],
    })
    expect(upstreams.find('openai_api', 'gpt_4', null).model_name).toBe('gpt-4o')
    expect(upstreams.find('openai_api', 'gpt_3_5', null).model_name).toBe('gpt-3.5-turbo')
    expect(upstreams.find('openai_api', 'local', null).model_name).toBe('qwen2.5:7b')
    for (const code of ['else', 'constructor', '__proto__'])
      expect(() => upstreams.find('openai_api', code, null)).toThrow('modelNotEnabled')
  })
  test('has the deadlines and the proxy of the settings', () => {
    const settings = {
      connect_timeout: 1,
      read_timeout: 2,
      ask_timeout: 3,
      max_answer_length: 4000,
      proxy: 'http://127.0.0.1:8888',
    }
    expect(configured(settings).find('openai_api', 'gpt_4', null)).toMatchObject(settings)
  })
})

describe('a proxy of the environment', () => {
  const env = { HTTPS_PROXY: 'http://proxy.example.org:3128' }
  const find = (openai_api: object, own: OwnEndpoint | null = null) =>
    configured(openai_api, 'sk-1', {}, env).find('openai_api', 'gpt_4', own).proxy
  test('is for the shared upstream alone, as long as the settings name none', () => {
    expect(find({})).toBe('http://proxy.example.org:3128/')
    expect(find({ openai_base_url: 'http://127.0.0.1:11434/v1/' })).toBe(null)
    expect(find({}, OWN)).toBe(null)
    expect(find({ proxy: 'http://127.0.0.1:8888' })).toBe('http://127.0.0.1:8888')
    expect(find({ proxy: 'http://127.0.0.1:8888' }, OWN)).toBe('http://127.0.0.1:8888')
  })
})

describe('a person’s own upstream', () => {
  const own = { ...OWN, key: 'sk-own' }
  test('is asked with their key alone, and only where it is public or listed', () => {
    const upstreams = configured({}, 'sk-shared', { allow_private_custom_urls: ['10.0.0.5'] })
    expect(upstreams.find('openai_api', 'gpt_4', own)).toMatchObject({
      base_url: own.url,
      key: 'sk-own',
      addresses: { public_only: true, except: ['10.0.0.5'] },
    })
    expect(upstreams.find('openai_api', 'gpt_4', { ...own, key: null }).key).toBe(null)
  })
})
