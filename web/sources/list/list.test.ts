import { describe, expect, test } from 'vitest'
import { SOURCES } from '#contract/models.ts'
import { plainSource } from '../source.ts'
import { pageSource } from './list.ts'

describe('a source of the page', () => {
  test.each(SOURCES)('is in the list with a line about it: %s', name => {
    expect(pageSource(name)).toMatchObject({ name, hint: expect.any(String) })
  })
  test('has nothing of its own where no line of the list is it', () => {
    // all that a mark is made of
    const record = { source_id: 'team-1' } as Parameters<ReturnType<typeof pageSource>['markOf']>[0]
    const { files, newConversation, markOf, headerParts, fetchFields } = plainSource('openai_web')
    const conversation = { id: '1', fields: { openai_web_plugin_ids: ['a'] }, history: null, messages: [] }
    expect({ files, newConversation }).toEqual({ files: null, newConversation: null })
    expect([markOf(record), headerParts(conversation), fetchFields(new AbortController().signal)]).toEqual([
      null,
      [],
      null,
    ])
  })
})

describe('the web account', () => {
  const { newConversation, headerParts } = pageSource('openai_web')

  test('lets a new conversation begin with plugins, with one model alone', () => {
    expect(['gpt_4', 'gpt_4_plugins', null].map(model => newConversation?.hasFields(model))).toEqual([
      false,
      true,
      false,
    ])
    expect(newConversation?.metadataOf({ openai_web_plugin_ids: ['a'] })).toEqual({
      source: 'openai_web',
      plugin_ids: ['a'],
    })
  })
  test('shows the plugins with which a conversation that is not stored begins', () => {
    const conversation = { id: null, fields: { openai_web_plugin_ids: ['a', 'b'] }, history: null, messages: [] }
    expect(headerParts(conversation).map(({ key }) => key)).toEqual(['a b'])
    expect(headerParts({ ...conversation, fields: {} })).toEqual([])
  })
})
