import type { SendKey } from '#contract/preferences.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './composer.module.css'

const HINTS = {
  Enter: 'composer.hintEnter',
  'Shift+Enter': 'composer.hintShiftEnter',
  'Ctrl+Enter': 'composer.hintCtrlEnter',
} as const satisfies Record<SendKey, string>

/** One line under the composer; phones have no such keys. */
export function SendHint() {
  const t = useTranslate()
  const { sendKey } = usePreferences()
  const demonstration = usePortal()?.demonstration === true
  return (
    <p className={styles.under}>
      <span>{t(HINTS[sendKey])}</span>
      <span>{t(demonstration ? 'composer.demonstration' : 'composer.mistakes')}</span>
    </p>
  )
}
