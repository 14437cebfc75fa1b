import { Language, LANGUAGES } from '#contract/preferences.ts'
import { useChangePreferences } from '#web/foundation/useChangePreferences.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import styles from './LanguagePicker.module.css'

/** For the login page; after signing in the language is one of the preferences. */
export function LanguagePicker() {
  const t = useTranslate()
  const spoken = useLanguage()
  const change = useChangePreferences()
  return (
    <span className={styles.pick}>
      <select aria-label={t('app.language')} value={spoken} onChange={event => change({ language: Language.parse(event.currentTarget.value) })}>
        {LANGUAGES.map(language => <option key={language} value={language} lang={language}>{LANGUAGE_ENTRIES[language].name}</option>)}
      </select>
      <IconChevronDown size={14} aria-hidden />
    </span>
  )
}
