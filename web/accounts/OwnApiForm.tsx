import { useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import type { ApiSetting } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import styles from './OwnApiForm.module.css'
import { useOwnApi } from './useOwnApi.ts'

/** An endpoint and key of one's own for openai_api, where an administrator allows it. */
export function OwnApiForm({ stored }: { stored: ApiSetting['custom_openai_api_settings'] }) {
  const t = useTranslate()
  const { url, key, mistakes, pending, keepsKey, change, submit, clear } = useOwnApi(stored)
  const [clearing, setClearing] = useState(false)
  return (
    <form className={styles.form} onSubmit={submit} noValidate data-testid="own-api">
      <h4>{t('ownApi.title')}</h4>
      <p className={styles.text}>{t('ownApi.text')}</p>
      <TextInput
        label={t('ownApi.url')}
        description={t('ownApi.urlHelp')}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={mistakes.url}
        onChange={event => change({ url: event.currentTarget.value })}
      />
      <SecretInput
        label={t('ownApi.key')}
        description={t(keepsKey ? 'ownApi.keyKept' : 'ownApi.keyNew')}
        autoComplete="off"
        value={key}
        onChange={event => change({ key: event.currentTarget.value })}
      />
      {clearing ? (
        <div className={styles.actions}>
          <p className={styles.text} role="status">
            {t('ownApi.clearText')}
          </p>
          <Button variant="subtle" color="gray" onClick={() => setClearing(false)}>
            {t('kit.cancel')}
          </Button>
          <Button color="red" loading={pending} onClick={() => void clear().then(() => setClearing(false))}>
            {t('ownApi.clearVerb')}
          </Button>
        </div>
      ) : (
        <div className={styles.actions}>
          {stored.url !== null && (
            <Button variant="subtle" color="gray" onClick={() => setClearing(true)}>
              {t('ownApi.clear')}
            </Button>
          )}
          <Button type="submit" variant="default" loading={pending}>
            {t('ownApi.save')}
          </Button>
        </div>
      )}
    </form>
  )
}
