import { LANGUAGES } from '#contract/preferences.ts'
import { setPreferences } from '#web/foundation/session.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './LanguagePicker.module.css'

/** Each language by its own name. After sign-in it is one of the preferences. */
export function LanguagePicker() {
  const t = useTranslate()
  const spoken = useLanguage()
  return (
    <div className={styles.pick} role="group" aria-label={t('app.language')}>
      {LANGUAGES.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          data-language={language}
          aria-pressed={language === spoken}
          onClick={() => setPreferences({ language })}
        >
          {LANGUAGE_ENTRIES[language].name}
        </button>
      ))}
    </div>
  )
}
