import { useTranslate } from '#web/i18n/useTranslate.ts'
import { LanguagePicker } from './LanguagePicker.tsx'
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
