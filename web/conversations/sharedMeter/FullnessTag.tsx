import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import type { Fullness } from '#web/kit/UsageMeter.tsx'

const TONES = { calm: 'green', warm: 'amber', full: 'red' } as const satisfies Record<Fullness, string>

/** Says in a word what the colour of the meter means. */
export function FullnessTag({ fullness }: { fullness: Fullness }) {
  const t = useTranslate()
  return <Tag tone={TONES[fullness]}>{t(`meter.${fullness}`)}</Tag>
}
