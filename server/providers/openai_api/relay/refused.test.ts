import { describe, expect, test } from 'vitest'
import type { ProviderUpstream } from '../../provider.ts'
import { withoutSecrets } from './refused.ts'

const UPSTREAM = {
  key: 'secret-of-the-portal',
  base_url: 'https://models.internal.example:8443/v1/',
  proxy: 'http://proxy.example:3128',
} as ProviderUpstream // nothing else of it is looked at

describe('what an upstream says of a request', () => {
  test.each([
    ['Bad key secret-of-the-portal', 'Bad key …'],
    ['See models.internal.example:8443, models.internal.example', 'See …, …'],
    ['Through proxy.example:3128', 'Through …'],
    ['Incorrect API key provided: sk-proj-abcd1234efgh', 'Incorrect API key provided: …'],
    ['There is no model cmn_AbCd1234efgh', 'There is no model …'],
    ['in organization org-AbCdEfGh1234 on tokens', 'in organization … on tokens'],
    ['connect ECONNREFUSED 10.1.2.3:8000', 'connect ECONNREFUSED …'],
  ])('is shown without keys and addresses: %s', (text, shown) => {
    expect(withoutSecrets(text, UPSTREAM)).toBe(shown)
  })
  test.each([
    "Unknown parameter: 'top_k'.",
    'https://platform.openai.com/docs/guides',
    'max_tokens: 128000 > 32000, version 1.2.3',
    '上下文太长',
  ])('is left as it is otherwise: %s', text => {
    expect(withoutSecrets(text, UPSTREAM)).toBe(text)
    expect(withoutSecrets(text, { ...UPSTREAM, key: null, proxy: null })).toBe(text)
  })
})
