import type { Share, ShareWindow } from '#contract/shares.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { moneyText, tokensText } from '#web/usage/amounts.ts'
import styles from './upstreams.module.css'

/** Windows that have a line of their own: the others are seen in the drawer. */
const MAX_SHOWN = 2

/** The shortest window of an account as a ruler, the next as a bar, and both in one line of words. */
export function UsedWindows({ share: { windows, currency } }: { share: Share }) {
  const t = useTranslate()
  const around = useTranslateAround()
  const { windowText } = useLimitTexts()
  const figure = useFigure(currency)
  const shown = windows.slice(0, MAX_SHOWN)
  return (
    <div className={`${styles.used} ${styles.usedWindows}`}>
      {shown.map((window, at) => {
        const [used, capacity] = [figure(window, window.used), figure(window, window.capacity)]
        const text = t('upstreams.windowMeter', { used, capacity, window: windowText(window.window) })
        return at === 0 && window.unit === 'asks' ? (
          <UsageMeter key={at} used={Math.ceil(window.used)} allowed={Math.floor(window.capacity)} text={text} />
        ) : (
          <Bar key={at} window={window} text={text} />
        )
      })}
      <span aria-hidden="true">
        {shown.map((window, at) => (
          <span key={at} className={styles.windowUse}>
            <Emphasised
              parts={around('upstreams.windowUse', 'used', {
                used: figure(window, window.used),
                capacity: figure(window, window.capacity),
              })}
            />{' '}
            <span className={styles.small}>{windowText(window.window)}</span>
          </span>
        ))}
      </span>
    </div>
  )
}

function useFigure(currency: string) {
  const language = useLanguage()
  return ({ unit }: ShareWindow, amount: number): string =>
    unit === 'money'
      ? moneyText(amount, currency, language)
      : unit === 'tokens'
        ? tokensText(Math.round(amount), language)
        : new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(amount)
}

function Bar({ window: { used, capacity }, text }: { window: ShareWindow; text: string }) {
  const part = capacity <= 0 ? 1 : Math.min(1, used / capacity)
  return (
    <div
      className={styles.bar}
      role="meter"
      aria-label={text}
      aria-valuetext={text}
      aria-valuenow={Math.round(used)}
      aria-valuemin={0}
      aria-valuemax={Math.max(Math.round(capacity), Math.round(used))}
    >
      <i style={{ width: `${part * 100}%` }} />
    </div>
  )
}
