import { FocusTrap, SegmentedControl, type SegmentedControlProps, Switch } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Language, LANGUAGES, SEND_KEYS, SendKey } from '#contract/preferences.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { setPreferences, useSession } from '#web/foundation/session.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { NoticeSettings } from '#web/notices/lazyNotices.ts'
import styles from './PreferencesDialog.module.css'

const THEMES = ['system', 'light', 'dark'] as const
const SWITCHES = ['renderUserMessageInMd', 'codeAutoWrap', 'widerConversationPage'] as const

/** Each choice takes effect at once. */
export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const preferences = usePreferences()
  const isSignedIn = useSession(({ user }) => user !== null)
  return (
    <Dialog title={t('preferences.title')} onClose={onClose}>
      <div className={styles.rows}>
        <ChoiceRow
          label={t('preferences.language')}
          value={preferences.language}
          choices={LANGUAGES.map(value => ({ value, label: LANGUAGE_ENTRIES[value].name }))}
          onChange={value => setPreferences({ language: Language.parse(value) })}
        />
        <ChoiceRow
          label={t('preferences.theme')}
          value={preferences.theme ?? 'system'}
          choices={THEMES.map(value => ({ value, label: t(`preferences.theme.${value}`) }))}
          onChange={value => setPreferences({ theme: value === 'light' || value === 'dark' ? value : null })}
        />
        <ChoiceRow
          label={t('preferences.sendKey')}
          help={t('preferences.sendKey.help')}
          value={preferences.sendKey}
          choices={[...SEND_KEYS]}
          onChange={value => setPreferences({ sendKey: SendKey.parse(value) })}
        />
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
        {isSignedIn && <NoticeSettings onLoadError={onClose} />}
      </div>
      <p className={styles.saved}>{t('preferences.saved')}</p>
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

type ChoiceRowProps = {
  label: string
  help?: string
  value: string
  choices: SegmentedControlProps['data']
  onChange(value: string): void
}

function ChoiceRow({ label, help, value, choices, onChange }: ChoiceRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <p>{label}</p>
        {help !== undefined && <p className={styles.help}>{help}</p>}
      </div>
      <SegmentedControl aria-label={label} value={value} data={choices} onChange={onChange} />
    </div>
  )
}
