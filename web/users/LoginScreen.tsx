import { LANGUAGES } from '#contract/preferences.ts'
import { setPreferences } from '#web/foundation/session.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { LoginForm } from './LoginForm.tsx'
import styles from './LoginScreen.module.css'
import { ReadingTable } from './ReadingTable.tsx'

export function LoginScreen() {
  const t = useTranslate()
  return (
    <div className={styles.room}>
      <section className={styles.card}>
        <h1 className={styles.title}>{t('login.title')}</h1>
        <p className={styles.lead}>{t('login.lead')}</p>
        <LoginForm />
        <p className={styles.forgot}>{t('login.forgot')}</p>
        <LanguagePicker />
      </section>
      <ReadingTable />
    </div>
  )
}

/** Each language by its own name. After sign-in it is one of the preferences. */
function LanguagePicker() {
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
