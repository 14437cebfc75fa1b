import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import type { Fullness as Degree } from './account.ts'

const TONES = { calm: 'green', warm: 'amber', full: 'red' } as const satisfies Record<Degree, string>

/** The word that the colour of the ruler stands for. */
export function Fullness({ fullness }: { fullness: Degree }) {
  const t = useTranslate()
  return <Tag tone={TONES[fullness]}>{t(`meter.${fullness}`)}</Tag>
}
