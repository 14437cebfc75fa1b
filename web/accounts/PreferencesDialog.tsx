import { FocusTrap, SegmentedControl, Switch } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { ReactNode } from 'react'
import { Language, LANGUAGES, type Preferences, SEND_KEYS, SendKey } from '#contract/preferences.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { setPreferences } from '#web/foundation/session.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import styles from './PreferencesDialog.module.css'

const SWITCHES = ['renderUserMessageInMd', 'codeAutoWrap', 'widerConversationPage'] as const

/** Each choice takes effect at once. */
export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const preferences = usePreferences()
  return (
    <Dialog title={t('preferences.title')} onClose={onClose}>
      <div className={styles.rows}>
        <Row label={t('preferences.language')}>
          <SegmentedControl
            aria-label={t('preferences.language')}
            value={preferences.language}
            data={LANGUAGES.map(value => ({ value, label: LANGUAGE_ENTRIES[value].name }))}
            onChange={value => setPreferences({ language: Language.parse(value) })}
          />
        </Row>
        <ThemeRow theme={preferences.theme} onChange={theme => setPreferences({ theme })} />
        <Row label={t('preferences.sendKey')} help={t('preferences.sendKey.help')}>
          <SegmentedControl
            aria-label={t('preferences.sendKey')}
            value={preferences.sendKey}
            data={[...SEND_KEYS]}
            onChange={value => setPreferences({ sendKey: SendKey.parse(value) })}
          />
        </Row>
        {SWITCHES.map(name => (
          <Switch
            key={name}
            classNames={{ body: styles.switch }}
            labelPosition="left"
            label={t(`preferences.${name}`)}
            checked={preferences[name]}
            onChange={event => setPreferences({ [name]: event.currentTarget.checked })}
          />
        ))}
      </div>
      <p className={styles.saved}>{t('preferences.saved')}</p>
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

type Theme = Preferences['theme']

function ThemeRow({ theme, onChange }: { theme: Theme; onChange(theme: Theme): void }) {
  const t = useTranslate()
  const choices = [
    { value: 'system', label: t('preferences.theme.system') },
    { value: 'light', label: t('preferences.theme.light') },
    { value: 'dark', label: t('preferences.theme.dark') },
  ]
  return (
    <Row label={t('preferences.theme')}>
      <SegmentedControl
        aria-label={t('preferences.theme')}
        data={choices}
        value={theme ?? 'system'}
        onChange={value => onChange(value === 'light' || value === 'dark' ? value : null)}
      />
    </Row>
  )
}

function Row({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <p>{label}</p>
        {help !== undefined && <p className={styles.help}>{help}</p>}
      </div>
      {children}
    </div>
  )
}
