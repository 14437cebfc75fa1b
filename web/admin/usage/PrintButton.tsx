import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPrinter } from '#web/kit/icons.ts'
import '#web/thread/print.css'
import styles from './usage.module.css'

/** Prints what is marked with `data-printed`, without what is around it. */
export function PrintButton() {
  const t = useTranslate()
  return (
    <Button
      variant="default"
      size="xs"
      className={styles.action}
      leftSection={<IconPrinter size={16} aria-hidden />}
      onClick={() => window.print()}
    >
      {t('usageTable.print')}
    </Button>
  )
}
