import { NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_KEY_NAME } from '#contract/keys.ts'
import { formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Choice } from '#web/usage/Choice.tsx'
import { ModelChoices } from './ModelChoices.tsx'
import { endOfKey, EXPIRIES, isAmount, type KeyDraft, WINDOWS } from './newKey.ts'
import styles from './keys.module.css'

type OnChange = (change: Partial<KeyDraft>) => void

type KeyFieldsProps = {
  draft: KeyDraft
  /** Whether what is missing or wrong is marked. */
  wrong: boolean
  /** It has limits that the form cannot show, and keeps them. */
  limitsStay?: boolean
  onChange: OnChange
}

/** What is set of a key. */
export function KeyFields({ draft, wrong, limitsStay = false, onChange }: KeyFieldsProps) {
  const t = useTranslate()
  return (
    <>
      <TextInput
        data-autofocus
        label={t('keys.name')}
        description={t('keys.name.help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={MAX_KEY_NAME}
        autoComplete="off"
        value={draft.name}
        error={wrong && draft.name.trim() === '' && t('keys.name.missing')}
        data-testid="key-name"
        onChange={event => onChange({ name: event.currentTarget.value })}
      />
      <Expiry draft={draft} onChange={onChange} />
      {limitsStay ? (
        <p className={styles.help}>{t('keys.limit.stays')}</p>
      ) : (
        <OwnLimit draft={draft} wrong={wrong} onChange={onChange} />
      )}
      <ModelChoices chosen={draft.models} onChoose={models => onChange({ models })} />
      <div>
        <Choice
          label={t('keys.borrowing')}
          options={(['yes', 'no'] as const).map(value => ({ value, label: t(`keys.borrowing.${value}`) }))}
          value={draft.mayBorrow ? 'yes' : 'no'}
          onChoose={value => onChange({ mayBorrow: value === 'yes' })}
        />
        <p className={styles.help}>{t('keys.borrowing.help')}</p>
      </div>
      <div>
        <Choice
          label={t('keys.keeping')}
          options={(['no', 'yes'] as const).map(value => ({ value, label: t(`keys.keeping.${value}`) }))}
          value={draft.keepsConversations ? 'yes' : 'no'}
          onChoose={value => onChange({ keepsConversations: value === 'yes' })}
        />
        <p className={styles.help}>{t('keys.keeping.help')}</p>
      </div>
    </>
  )
}

function Expiry({ draft, onChange }: { draft: KeyDraft; onChange: OnChange }) {
  const t = useTranslate()
  const language = useLanguage()
  const end = endOfKey(draft, useNow())
  const options = draft.end === null ? EXPIRIES : (['kept', ...EXPIRIES] as const)
  return (
    <div>
      <Choice
        label={t('keys.expiry')}
        options={options.map(each => ({ value: each, label: t(`keys.expiry.${each}`) }))}
        value={draft.expiry}
        onChoose={expiry => onChange({ expiry })}
      />
      <p className={styles.help}>
        {end === null ? t('keys.expiry.none') : t('keys.expiry.until', { date: formatDate(end, language) })}
      </p>
    </div>
  )
}

function OwnLimit({ draft, wrong, onChange }: { draft: KeyDraft; wrong: boolean; onChange: OnChange }) {
  const t = useTranslate()
  const isWrong = wrong && !isAmount(draft.amount)
  return (
    <div className={styles.limit}>
      <TextInput
        label={t('keys.limit')}
        description={t('keys.limit.help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        autoComplete="off"
        value={draft.amount}
        error={isWrong && t('keys.limit.wrong')}
        rightSection={<span className={styles.unit}>{t('keys.limit.unit')}</span>}
        rightSectionWidth="auto"
        rightSectionPointerEvents="none"
        onChange={event => onChange({ amount: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('keys.window')}
        value={draft.window}
        data={WINDOWS.map(value => ({ value, label: t(`keys.window.${value}`) }))}
        onChange={event => onChange({ window: WINDOWS.find(each => each === event.currentTarget.value) ?? 'week' })}
      />
    </div>
  )
}
