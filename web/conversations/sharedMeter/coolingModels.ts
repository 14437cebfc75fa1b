import type { AccountMeter } from '#contract/status.ts'
import { useMomentText } from '#web/users/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** Until when an account does not answer with some of its models; null where it does with all. */
export function useCoolingModels(): (models: AccountMeter['cooling_models']) => string | null {
  const t = useTranslate()
  const nameOf = useModelName()
  const momentText = useMomentText()
  return models =>
    models.length === 0
      ? null
      : models
          .map(({ model, until }) => t('meter.coolingModel', { model: nameOf(model), time: momentText(until) }))
          .join(t('kit.comma'))
}
