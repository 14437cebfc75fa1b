import { IconAlertTriangle } from '#web/kit/icons.ts'
import styles from './configuration.module.css'
import { shownValue } from './form.ts'
import { mistakeIn } from './mistakes.ts'
import type { Row } from './rows.ts'
import type { ConfigurationForm } from './useConfiguration.ts'
import { useSettingTexts } from './useSettingTexts.ts'

export type RowProps = { row: Row; configuration: ConfigurationForm }

/** The mistake in a changed value. One that the server found is shown until the value is changed again. */
export function useMistake({ row, configuration: { form } }: RowProps): string | null {
  const { mistakeText, refusalText } = useSettingTexts()
  const refused = form.refused.get(row.path)
  if (refused !== undefined) return refusalText(row.path, refused)
  if (!form.edits.has(row.path)) return null
  const mistake = mistakeIn(row, shownValue(form, row))
  return mistake === null ? null : mistakeText(row, mistake)
}

export function MistakeText({ text }: { text: string }) {
  return (
    <p className={styles.wrong} role="alert">
      <IconAlertTriangle size={14} aria-hidden />
      <span>{text}</span>
    </p>
  )
}
