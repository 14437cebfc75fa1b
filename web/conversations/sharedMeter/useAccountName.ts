import type { AccountMeter } from '#contract/status.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** What a shared account is called: by the name that an administrator gave it, else by its source; a single one needs none. */
export function useAccountName({ label, source }: AccountMeter, alone: boolean): string {
  const t = useTranslate()
  if (alone) return t('meter.title')
  return label === '' ? t(`sources.${source}`) : label
}
