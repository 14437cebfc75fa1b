import { beforeAll, describe, expect, test } from 'vitest'
import type { TrialOutcome } from '#contract/keyTrials.ts'
import { loadTexts, translate, translateMessage } from '#web/i18n/useTranslate.ts'
import { outcomeTexts } from './outcomeTexts.ts'

beforeAll(() => loadTexts('keys'))

const refused = { as: 'refused', values: {}, field: null } as const
const many = { model: 'gpt-5', models: 'a, b, c, d' }

describe('an outcome', () => {
  test.each<[TrialOutcome, RegExp]>([
    [{ as: 'queued', model: 'a', position: 2, estimate_seconds: null }, /在排队.*第 2 位。工具/],
    [{ as: 'queued', model: 'a', position: 2, estimate_seconds: 80 }, /在排队.*第 2 位，约 80秒/],
    [{ as: 'answered', model: 'a', tokens: 1204, charged: false }, /a，1,204 token.*没有算/],
    [{ ...refused, key: 'modelNotEnabled', values: many }, /没有这个模型.*工具要 gpt-5，你能用：a，b，c 等 4 个/],
    [{ ...refused, key: 'modelNotEnabled', values: { model: 'x', models: '' } }, /现在没有能用的模型/],
    [{ ...refused, key: 'keyExpired' }, /没有答.*已过期/],
    [{ ...refused, key: 'requestValidationError', field: 'tools.0.type' }, /没有答.*：tools\.0\.type/],
    [{ as: 'mistyped', ending: 'mx7Q', missing: 1 }, /密钥不对.*…mx7Q，少了 1 位/],
    [{ as: 'mistyped', ending: 'mx7Q', missing: -2 }, /多了 2 位/],
    [{ as: 'mistyped', ending: 'mx7Q', missing: 0 }, /有几位不对/],
    [{ as: 'wrongPath', path: '/v1/v1' }, /路径不对.*\/v1\/v1。地址要填 https:\/\/a\/v1/],
    [{ as: 'notPosted' }, /http:\/\/.*地址要填 https:\/\/a\/v1/],
    [{ as: 'withoutKey' }, /没有密钥/],
    [{ as: 'unknownKey' }, /密钥不认识/],
  ])('%o says what it was, and what to do', (outcome, text) => {
    const { head, more } = outcomeTexts(outcome, { t: translate, translateMessage, address: 'https://a/v1' })
    expect(`${head} ${more}`).toMatch(text)
  })
})
