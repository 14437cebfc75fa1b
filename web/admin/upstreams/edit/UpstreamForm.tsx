import type { Source } from '#contract/models.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerSection } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import styles from './edit.module.css'
import { enteredKey, type Fields, TIMEOUTS } from './fields.ts'
import { KeyField } from './KeyField.tsx'
import { settableModels } from './modelSettings.ts'
import { ModelSettingsSection } from './ModelSettingsSection.tsx'
import { ModelsPicker } from './ModelsPicker.tsx'
import { TextRow } from './rows.tsx'
import { TestPanel } from './TestPanel.tsx'
import type { ConnectionTest } from './useConnectionTest.ts'

type UpstreamFormProps = {
  form: Changes<Fields>
  connectionTest: ConnectionTest
  source: Source
  /** Null for one that is not stored. */
  upstream: UpstreamRead | null
}

/** How an account or key beyond the first is reached. */
export function ConnectionFields({
  form,
  connectionTest,
  source,
  upstream,
  asksForKey,
}: UpstreamFormProps & { asksForKey: boolean }) {
  const t = useTranslate()
  const { secret } = form.values
  const hasKey = secret !== null && (enteredKey(secret) !== '' || upstream?._set.secret.set === true)
  return (
    <>
      <TextRow form={form} name="label" help={t('upstreams.field.label.help')} />
      <TextRow form={form} name="base_url" help={t('upstreams.field.base_url.help')} />
      <KeyField source={source} form={form} stored={upstream?._set.secret ?? null} isWanted={asksForKey} />
      <TestPanel connectionTest={connectionTest} saved={upstream !== null} hasKey={hasKey} />
    </>
  )
}

/** What is hardly ever set of a connection. */
export function FurtherFields({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  return (
    <details className={styles.further}>
      <summary>{t('upstreams.further')}</summary>
      <TextRow form={form} name="key_header" help={t('upstreams.field.key_header.help')} />
      <TextRow form={form} name="query" help={t('upstreams.field.query.help')} />
      <TextRow form={form} name="proxy" help={t('upstreams.field.proxy.help')} />
      {TIMEOUTS.map(name => (
        <TextRow key={name} form={form} name={name} unit={t('upstreams.unit.seconds')} />
      ))}
    </details>
  )
}

/** Which models it offers, and what they can. */
export function ModelFields({ form, connectionTest, source, upstream }: UpstreamFormProps) {
  const t = useTranslate()
  return (
    <>
      <DrawerSection title={t('upstreams.models')}>
        <ModelsPicker
          picked={form.values.models}
          listed={connectionTest.listed}
          isChanged={form.isChanged('models')}
          reading={source === 'openai_api' ? connectionTest : null}
          onChange={models => form.change({ models })}
        />
      </DrawerSection>
      <ModelSettingsSection
        form={form}
        source={source}
        models={settableModels(upstream?.model_settings ?? [], form.values.models, connectionTest.listed)}
      />
    </>
  )
}
