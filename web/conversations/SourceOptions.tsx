import type { UserSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { sourceChoices } from './choices.ts'
import { Options } from './Options.tsx'

const HINTS = { openai_web: 'newConversation.webHint', openai_api: 'newConversation.apiHint' } as const

type SourceOptionsProps = {
  portal: Portal
  setting: UserSetting
  chosen: { value: Source | null; choose(source: Source): void }
}

/** The sources. One that this person may not use is shown with the reason. */
export function SourceOptions({ portal, setting, chosen }: SourceOptionsProps) {
  const t = useTranslate()
  const now = useNow()
  const options = sourceChoices(portal, setting, now).map(({ source, hindrance }) => ({
    value: source,
    title: t(`sources.${source}`),
    hint: hindrance === null ? t(HINTS[source]) : t(`newConversation.${hindrance}`),
    disabled: hindrance !== null,
  }))
  return (
    <Options
      label={t('newConversation.source')}
      testid="new-conversation-source"
      shape="cards"
      options={options}
      chosen={chosen}
    />
  )
}
