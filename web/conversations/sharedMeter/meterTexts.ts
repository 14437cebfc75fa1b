import { useState } from 'react'
import type { AccountMeter } from '#contract/status.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import type { Parts } from '#web/i18n/dictionary.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { paceOf } from './account.ts'

type MeterTexts = { used: Parts; users: string }

/**
 * The two sentences of a shared account: how much of it is used, with the number as a part of its own, and who is
 * there.
 */
export function useMeterTexts(account: AccountMeter): MeterTexts {
  const t = useTranslate()
  const around = useTranslateAround()
  const momentText = useMomentText()
  const coolingModels = useCoolingModels()
  const pace = useSteadyPace(paceOf(account))
  return { used: usedParts(), users: usersText() }

  function usedParts(): Parts {
    const { used, allowed, window_seconds, returns } = account
    if (allowed === null) return around('meter.asked', 'used', { window_seconds, used })
    const [first] = returns
    if (first === undefined) return around('meter.used', 'used', { window_seconds, used, allowed })
    return around('meter.usedReturning', 'used', {
      window_seconds,
      used,
      allowed,
      time: formatTimeOfDay(new Date(first.at)),
    })
  }

  function usersText(): string {
    const { running, waiting, paused, cooling_until } = account
    if (paused) return t('meter.paused')
    const isFree = running + waiting === 0
    const said = [
      cooling_until === null ? null : t('meter.cooling', { time: momentText(cooling_until) }),
      isFree && cooling_until !== null ? null : isFree ? t('meter.free') : countText(),
      coolingModels(account.cooling_models),
    ]
    return said.filter(text => text !== null).join(t('kit.comma'))
  }

  function countText(): string {
    const { running, waiting } = account
    if (waiting === 0) return t('meter.busy', { running })
    if (pace.seconds === null) return t('meter.waiting', { running, waiting })
    return t(pace.slower ? 'meter.waitingSlower' : 'meter.waitingPace', {
      running,
      waiting,
      estimate_seconds: pace.seconds,
    })
  }
}

type Pace = { seconds: number | null; slower: boolean }

/** When an estimate grows, the text says that answers have become slower, until the next estimate. */
function useSteadyPace(seconds: number | null): Pace {
  const [shown, setShown] = useState<Pace>({ seconds, slower: false })
  if (shown.seconds === seconds) return shown
  const next = { seconds, slower: shown.seconds !== null && seconds !== null && seconds > shown.seconds }
  setShown(next)
  return next
}

/** The label that an administrator gave it, else its source; a single account needs neither. */
export function useAccountName({ label, source }: AccountMeter, alone: boolean): string {
  const t = useTranslate()
  if (alone) return t('meter.title')
  return label === '' ? t(`sources.${source}`) : label
}

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
