import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { type Chosen, ownersOf } from './chosen.ts'

/** Destroying is final: a word must be typed to confirm it. */
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

/** Hides everybody's. It can be undone, but a word must be typed: until then nobody has their conversations. */
export function confirmHideAll(count: number): Promise<boolean> {
  return confirm({
    title: t('conv.hideAllTitle', { count }),
    text: t('conv.hideAllText'),
    verb: t('conv.hideAllVerb'),
    danger: true,
    typed: t('conv.hideAllTyped', { count }),
  })
}
