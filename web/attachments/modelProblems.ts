import type { ModelChoice } from '#contract/models.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import type { Shared } from './plan.ts'
import { roomOf, shortCount, takes } from './weights.ts'

/** Why a model cannot take the question that is being written; none where it can, or nobody knows. */
export function modelProblems(
  model: ModelChoice,
  { plan, question }: Pick<Shared, 'plan' | 'question'>,
  t: Translate,
): string[] {
  const needsPictures = plan.attachments.some(({ form }) => form.as === 'picture')
  const needsFiles = plan.attachments.some(({ form }) => form.as === 'file')
  // As they were chosen: what helps against the length for one model need not be needed with another.
  const tokens = plan.attachments.reduce((sum, { tooLong, tokens: now }) => sum + (tooLong?.tokens ?? now ?? 0), 0)
  const room = roomOf(model)
  return [
    needsPictures && takes(model, 'picture') === false ? t('attachments.modelSeesNot') : '',
    needsFiles && takes(model, 'file') === false ? t('attachments.modelReadsNot') : '',
    plan.attachments.length > 0 && room !== null && tokens + question > room
      ? t('attachments.modelNoRoom', { tokens: shortCount(tokens) })
      : '',
  ].filter(problem => problem !== '')
}
