import { Button } from '@mantine/core'
import { useMomentText } from '#web/accounts/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Limit } from './limit.ts'

type SwitchModelProps = { limit: Limit; onChoose(model: string): void }

/** In place of what remains: another model that may be asked now, and for whoever listens when this one may. */
export function SwitchModel({ limit: { alternative, verdict }, onChoose }: SwitchModelProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const momentText = useMomentText()
  return (
    <>
      {verdict.opens_at !== null && (
        <span className="visually-hidden">{t('limit.sendableAt', { time: momentText(verdict.opens_at) })}</span>
      )}
      {alternative !== null && (
        <Button variant="light" size="xs" data-testid="switch-model" onClick={() => onChoose(alternative)}>
          {t('limit.switch', { model: modelName(alternative) ?? alternative })}
        </Button>
      )}
    </>
  )
}
