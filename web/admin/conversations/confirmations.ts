import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { type Chosen, ownersOf } from './chosen.ts'

/** It is final, so that the words are typed. */
export function confirmVanish(chosen: Chosen): Promise<boolean> {
  const { count } = chosen
  const owners = chosen.by === 'ticks' ? ownersOf(chosen.rows) : 0
  return confirm({
    title: t('conv.vanishTitle', { count }),
    text: owners === 0 ? t('conv.vanishText') : t('conv.vanishTextOf', { owners }),
    verb: t('conv.vanishVerb'),
    danger: true,
    typed: t('conv.vanishTyped', { count }),
  })
}

/** Everybody's: it can be restored, and still is typed, since everybody is without their conversations until then. */
export function confirmHideAll(count: number): Promise<boolean> {
  return confirm({
    title: t('conv.hideAllTitle', { count }),
    text: t('conv.hideAllText'),
    verb: t('conv.hideAllVerb'),
    danger: true,
    typed: t('conv.hideAllTyped', { count }),
  })
}
