import { LANGUAGES } from '#contract/preferences.ts'
import { useChangePreferences } from '#web/foundation/useChangePreferences.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './LanguagePicker.module.css'

/** For the login page: each language by its own name, since nobody looks for theirs behind a word they cannot read. Afterwards it is one of the preferences. */
export function LanguagePicker() {
  const t = useTranslate()
  const spoken = useLanguage()
  const change = useChangePreferences()
  return (
    <div className={styles.pick} role="group" aria-label={t('app.language')}>
      {LANGUAGES.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          data-language={language}
          aria-pressed={language === spoken}
          onClick={() => change({ language })}
        >
          {LANGUAGE_ENTRIES[language].name}
        </button>
      ))}
    </div>
  )
}
