import { useTranslate } from '#web/i18n/useTranslate.ts'
import { FieldRow, type ParentOption, ParentRow } from './fields/FieldRow.tsx'
import { useShownSources } from './LimitsTab.tsx'
import styles from './plans.module.css'
import type { PlanForm } from './usePlanForm.ts'

/** What else a plan says: instructions, uploads, keys, hours, and for how long things are kept. */
export function UseTab({ form, parents }: { form: PlanForm; parents: readonly ParentOption[] }) {
  const t = useTranslate()
  const sources = useShownSources(form)
  return (
    <>
      <FieldRow form={form} field="instructions" />
      <FieldRow form={form} field="max_file_bytes" />
      <FieldRow form={form} field="max_upload_bytes" />
      <FieldRow form={form} field="max_keys" />
      {form.plan.parent_id !== null && <ParentRow form={form} options={parents} />}
      {sources.map(source => (
        <section key={source}>
          <h3 className={styles.heading}>{t(`sources.${source}`)}</h3>
          <FieldRow form={form} source={source} field="allow_to_use" />
          <FieldRow form={form} source={source} field="valid_days" />
          <FieldRow form={form} source={source} field="daily_available_time_slots" />
          <FieldRow form={form} source={source} field="max_conv_count" />
          <FieldRow form={form} source={source} field="disable_uploading" />
          <FieldRow
            form={form}
            source={source}
            field={source === 'openai_web' ? 'use_team' : 'allow_custom_openai_api'}
          />
        </section>
      ))}
      <h3 className={styles.heading}>{t('plans.keeping')}</h3>
      <FieldRow form={form} field="retention_days" />
      <FieldRow form={form} field="deleted_retention_days" />
    </>
  )
}
