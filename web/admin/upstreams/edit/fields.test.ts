import { describe, expect, test } from 'vitest'
import { anUpstream } from '../state/builders.testing.ts'
import { BLANK, type Fields, fieldsOf, mistakesIn, sentOf } from './fields.ts'

const valid: Fields = { ...BLANK, label: 'Second' }

describe('the fields of an account', () => {
  test('are sent as they were read', () => {
    const upstream = anUpstream({ models_picked: true, shared_limit_window_seconds: 5400 })
    expect(sentOf(fieldsOf(upstream))).toMatchObject({
      label: 'Second',
      base_url: 'https://gateway.example.org/v1/',
      secret: '',
      proxy: null,
      concurrency: 2,
      shared_limit: 50,
      shared_limit_window_seconds: 5400,
      models: [{ code: 'mistral' }, { code: 'qwen' }],
    })
  })
  test('that were not changed are not sent', () => {
    expect(sentOf({ concurrency: '' })).toEqual({ concurrency: null })
  })
  test.each([
    ['nothing but a name', {}, []],
    ['no name', { label: ' ' }, ['label']],
    ['the longest name', { label: 'x'.repeat(80) }, []],
    ['a name that is too long', { label: 'x'.repeat(81) }, ['label']],
    ['no address', { base_url: 'localhost:11434' }, ['base_url']],
    ['a key with a space', { secret: 'a b' }, ['secret']],
    ['nobody at a time', { concurrency: '0' }, ['concurrency']],
    ['the most at a time', { concurrency: '10000' }, []],
    ['too many at a time', { concurrency: '10001' }, ['concurrency']],
    ['what is no number', { concurrency: 'two' }, ['concurrency']],
    ['half an hour', { window_hours: '0.5' }, []],
    ['no time at all', { window_hours: '0' }, ['window_hours']],
    ['no model picked', { models: [] }, ['models']],
  ] as const)('with %s', (_what, fields, expected) => {
    expect(mistakesIn({ ...valid, ...fields }, false, 'openai_api')).toEqual(expected)
  })
})
