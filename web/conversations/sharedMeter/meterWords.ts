import { useState } from 'react'
import type { AccountMeter } from '#contract/status.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import type { Parts } from '#web/i18n/dictionary.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { paceOf } from './account.ts'

export type MeterWords = { used: Parts; line: string }

/** The two sentences of a shared account: what of it is used, with the number apart, and who is there. */
export function useMeterWords(account: AccountMeter): MeterWords {
  const t = useTranslate()
  const around = useTranslateAround()
  const pace = useSteadyPace(paceOf(account))
  return { used: usedWords(), line: lineWords() }

  function usedWords(): Parts {
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

  function lineWords(): string {
    const { running, waiting, paused, cooling_until } = account
    if (paused) return t('meter.paused')
    if (cooling_until === null) return running + waiting === 0 ? t('meter.free') : peopleWords()
    const cooling = t('meter.cooling', { time: formatTimeOfDay(new Date(cooling_until)) })
    return running + waiting === 0 ? cooling : `${cooling}${t('kit.comma')}${peopleWords()}`
  }

  function peopleWords(): string {
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

/** An estimate never jumps up without a word: until the next one, it is said to have become slower. */
function useSteadyPace(seconds: number | null): Pace {
  const [shown, setShown] = useState<Pace>({ seconds, slower: false })
  if (shown.seconds === seconds) return shown
  const next = { seconds, slower: shown.seconds !== null && seconds !== null && seconds > shown.seconds }
  setShown(next)
  return next
}

/** What a shared account is called: by the name that an administrator gave it, else by its source; a single one needs none. */
export function useAccountName({ label, source }: AccountMeter, alone: boolean): string {
  const t = useTranslate()
  if (alone) return t('meter.title')
  return label === '' ? t(`sources.${source}`) : label
}
