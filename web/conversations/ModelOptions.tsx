import type { UserSetting } from '#contract/limits.ts'
import type { ModelChoice } from '#contract/models.ts'
import { useAllowance } from '#web/accounts/allowance.ts'
import { useMomentText } from '#web/accounts/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { leftOf, type Left } from './leftOf.ts'
import { Options } from './Options.tsx'
import { useModelName } from '#web/foundation/portal.ts'

type ModelOptionsProps = {
  models: readonly ModelChoice[]
  setting: UserSetting
  chosen: { value: string | null; choose(model: string): void }
}

/** The models of a source, with what remains of each or when it can be asked again. Such a model can be chosen and written for already. */
export function ModelOptions({ models, setting, chosen }: ModelOptionsProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const momentText = useMomentText()
  const told = useAllowance()
  const options = models.map(({ source, code }) => {
    const left = leftOf(told?.allowance, setting, source, code)
    return {
      value: code,
      title: modelName(code),
      hint: words(left),
      disabled: left.count === 0 && left.opens_at === null,
    }
  })
  return (
    <Options
      label={t('newConversation.model')}
      testid="new-conversation-model"
      shape="rows"
      options={options}
      chosen={{ ...chosen, first: true }}
    />
  )

  function words({ count, window_seconds, opens_at }: Left): string {
    if (opens_at !== null)
      return t(count === 0 ? 'allowance.usedUpUntil' : 'allowance.opens', { time: momentText(opens_at) })
    if (count === null) return t('newConversation.unlimited')
    if (count === 0) return t('newConversation.usedUp')
    return window_seconds === null
      ? t('newConversation.remaining', { count })
      : t('allowance.remainingInWindow', { count, window_seconds })
  }
}
