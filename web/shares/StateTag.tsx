import type { Share } from '#contract/shares.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { shareState, type ShareState, waitsUntil } from './state.ts'

const TONES = { normal: 'green', borrowing: 'plain', waiting: 'amber', full: 'red' } as const satisfies Record<
  ShareState,
  string
>

/** Says how one stands with an account. That all is well is said only where there is room. */
export function StateTag({ share, always = false }: { share: Share; always?: boolean }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const state = shareState(share)
  if (state === 'normal' && !always) return null
  const until = waitsUntil(share)
  return (
    <Tag tone={TONES[state]}>
      {state === 'waiting' && until !== null
        ? t('shares.state.waitingUntil', { time: momentText(until) })
        : t(`shares.state.${state}`)}
    </Tag>
  )
}
