import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { enabledModels } from '#server/configuration/models.ts'
import { BLANK } from './capabilities.ts'
import { type Listing, offersOf } from './snapshot.ts'
import type { ModelRow } from './store.ts'

const row = (name: string, fields: Partial<ModelRow> = {}): ModelRow => ({
  ...BLANK,
  upstream_id: 0,
  code: name,
  name,
  position: 0,
  offered: true,
  ...fields,
})
const listing = (id: number, names: readonly (string | ModelRow)[] | null, fields: Partial<Listing> = {}): Listing => ({
  id,
  picked: false,
  offersAll: true,
  models: names?.map(name => (typeof name === 'string' ? row(name) : name)) ?? null,
  ...fields,
})
const settings = (openai_api: object = {}) => Configuration.parse({ openai_api })
const AT_ADDRESS = { openai_base_url: 'http://127.0.0.1:11434/v1' }

function offers(configuration: Configuration, first: Listing, ...further: Listing[]) {
  const { configuration: merged, names } = offersOf(configuration, { ...first, isDemonstration: false }, further)
  return {
    codes: enabledModels(merged, 'openai_api').map(({ code }) => code),
    serving: (code: string) => [...names].filter(([, byCode]) => byCode.has(code)).map(([id]) => id),
    nameAt: (id: number, code: string) => names.get(id)?.get(code) ?? null,
  }
}

describe('a second key for the same endpoint', () => {
  test('serves the models of the settings that it lists, and offers nothing of its own accord', () => {
    const openai = listing(2, ['gpt-4', 'gpt-4-0613', 'gpt-3.5-turbo'], { offersAll: false })
    const { codes, serving, nameAt } = offers(settings(), listing(1, null), openai)
    expect(codes).toEqual(['gpt_3_5', 'gpt_4'])
    expect([serving('gpt_4'), nameAt(2, 'gpt_4')]).toEqual([[1, 2], 'gpt-4'])
  })
  test('serves nothing while it is not known what it has', () => {
    expect(offers(settings(), listing(1, null), listing(2, null)).serving('gpt_4')).toEqual([1])
  })
})

describe('a further endpoint', () => {
  test('adds what it alone has, and shares what both have', () => {
    const found = offers(
      settings(AT_ADDRESS),
      listing(1, ['llama3:latest', 'qwen']),
      listing(2, ['llama3:latest', 'mistral', row('nomic-embed', { offered: false })]),
    )
    expect(found.codes).toEqual(['llama3:latest', 'qwen', 'mistral'])
    expect(found.serving('llama3:latest')).toEqual([1, 2])
    expect(found.serving('mistral')).toEqual([2])
    expect(found.serving('nomic-embed')).toEqual([])
  })
  test('knows a name without its tag', () => {
    const further_models = [{ code: 'llama', label: 'Llama', upstream_name: 'llama3' }]
    const found = offers(settings({ ...AT_ADDRESS, further_models }), listing(1, null), listing(2, ['llama3:latest']))
    expect(found.codes).toEqual(['gpt_3_5', 'gpt_4', 'llama'])
    expect(found.nameAt(2, 'llama')).toBe('llama3')
  })
  test('adds nothing where an administrator has picked what is offered', () => {
    const picked = { picked: true }
    const found = offers(
      settings({ ...AT_ADDRESS, enabled_models: ['qwen'] }),
      listing(1, ['qwen'], picked),
      listing(2, ['qwen', 'mistral']),
    )
    expect(found.codes).toEqual(['qwen'])
    expect(found.serving('qwen')).toEqual([1, 2])
  })
  test('serves a picked model that the first endpoint does not list', () => {
    const found = offers(
      settings({ ...AT_ADDRESS, enabled_models: ['qwen', 'mistral'] }),
      listing(1, ['qwen'], { picked: true }),
      listing(2, ['mistral']),
    )
    expect([found.serving('qwen'), found.serving('mistral')]).toEqual([[1], [2]])
  })
  test('offers what an administrator picked of it, by the codes that they gave, and nothing else', () => {
    const deployment = row('my-deployment', { code: 'gpt_4', label: 'GPT-4 at Azure' })
    const other = row('other', { label: 'Other' })
    const azure = listing(2, [deployment, other, row('gpt-3.5-turbo', { offered: false })], { picked: true })
    const found = offers(settings(), listing(1, null), azure)
    expect(found.codes).toEqual(['gpt_3_5', 'gpt_4', 'other'])
    expect([found.nameAt(1, 'gpt_4'), found.nameAt(2, 'gpt_4')]).toEqual(['gpt-4', 'my-deployment'])
    expect(found.serving('gpt_3_5')).toEqual([1])
  })
  test('adds no more than anybody chooses from', () => {
    const many = Array.from({ length: 200 }, (_, at) => `model-${at}`)
    expect(offers(settings(AT_ADDRESS), listing(1, ['a']), listing(2, many)).codes).toHaveLength(51)
  })
})

describe('the demonstration', () => {
  test('is replaced by the first endpoint that is added, with its models alone', () => {
    const demonstration = { ...listing(1, null), isDemonstration: true }
    const { configuration, names } = offersOf(settings(), demonstration, [listing(2, ['gpt-4', 'mistral'])])
    expect(enabledModels(configuration, 'openai_api').map(({ code }) => code)).toEqual(['gpt_4', 'mistral'])
    expect([...(names.get(1) ?? [])]).toEqual([])
    expect(offersOf(settings(), demonstration, []).names.get(1)?.get('gpt_4')).toBe('gpt-4')
  })
})
