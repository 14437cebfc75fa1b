import type { TrialOutcome } from '#contract/keyTrials.ts'
import type { Translate } from '#web/i18n/dictionary.ts'

type Words = {
  t: Translate
  translateMessage(message: string, values: Extract<TrialOutcome, { as: 'refused' }>['values']): string
  /** As the chosen tool takes it. */
  address: string
}

type Texts = { head: string; more: string }

/** So many models are named, the others counted. */
const MAX_MODELS = 3

/** What an outcome says, and what to do. */
export function outcomeTexts(outcome: TrialOutcome, words: Words): Texts {
  const { t, address } = words
  const head = t(`keys.test.${outcome.as}`)
  switch (outcome.as) {
    case 'asking':
      return { head, more: outcome.model }
    case 'queued': {
      const { position, estimate_seconds } = outcome
      if (estimate_seconds === null) return { head, more: t('keys.test.queued.more', { position }) }
      return { head, more: t('keys.test.queued.estimate', { position, estimate_seconds }) }
    }
    case 'answered': {
      const { model, tokens, charged } = outcome
      const text = charged ? 'keys.test.answered.charged' : 'keys.test.answered.free'
      return { head, more: t(text, { model, tokens: tokens ?? 0 }) }
    }
    case 'refused':
      return outcome.key === 'modelNotEnabled' ? unknownModel(outcome.values, t) : refused(outcome, words)
    case 'mistyped': {
      const { ending, missing } = outcome
      if (missing === 0) return { head, more: t('keys.test.mistyped.other', { ending }) }
      const how = missing > 0 ? 'short' : 'long'
      return { head, more: t(`keys.test.mistyped.${how}`, { ending, count: Math.abs(missing) }) }
    }
    case 'wrongPath':
      return { head, more: t('keys.test.wrongPath.more', { path: outcome.path, address }) }
    case 'notPosted':
      return { head, more: t('keys.test.notPosted.more', { address }) }
    default:
      return { head, more: t(`keys.test.${outcome.as}.more`) }
  }
}

type Refused = Extract<TrialOutcome, { as: 'refused' }>

function unknownModel({ model, models }: Refused['values'], t: Translate): Texts {
  const head = t('keys.test.unknownModel')
  const wanted = String(model)
  const all = String(models ?? '')
    .split(', ')
    .filter(name => name !== '')
  if (all.length === 0) return { head, more: t('keys.test.unknownModel.none', { model: wanted }) }
  const named = all.slice(0, MAX_MODELS).join(t('kit.comma'))
  if (all.length <= MAX_MODELS)
    return { head, more: t('keys.test.unknownModel.more', { model: wanted, models: named }) }
  return { head, more: t('keys.test.unknownModel.some', { model: wanted, models: named, count: all.length }) }
}

function refused({ key, values, field }: Refused, { t, translateMessage }: Words): Texts {
  const text = translateMessage(`errors.${key}`, values)
  const more = field === null ? text : t('keys.test.refused.field', { text, field })
  return { head: t('keys.test.refused'), more }
}
