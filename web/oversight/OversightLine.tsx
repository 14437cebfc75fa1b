import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { OversightRow } from '#contract/oversight.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown, IconEye } from '#web/kit/icons.ts'
import styles from './oversight.module.css'
import { minutesOf, useOwnOversight } from './ownOversight.ts'
import { useOversightNotice } from './useOversightNotice.ts'

type OversightLineProps = {
  /** Null where none is stored yet. */
  id: string | null
  /** A phone's header has no room for it: there it stands above the thread. */
  above?: boolean
}

/** Under the title of one's own conversation: that an administrator reads it or has read it, and why. */
export function OversightLine({ id, above = false }: OversightLineProps) {
  const row = useOwnOversight()?.rows.find(({ conversation_id }) => conversation_id === id)
  const isPhone = useMediaQuery('(width < 760px)', false, { getInitialValueInEffect: false })
  const line = row !== undefined && isPhone === above && <Line key={row.id} row={row} />
  if (above) return line && <div className={styles.above}>{line}</div>
  return (
    <>
      <Notice />
      {line}
    </>
  )
}

function Notice() {
  useOversightNotice()
  return null
}

function Line({ row }: { row: OversightRow }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const text = useLineText(row)
  const because = row.text === '' ? t(`oversight.reason.${row.reason}`) : t('oversight.quote', { text: row.text })
  return (
    <span className={styles.line} data-testid="oversight-line">
      {row.is_reading ? <i className={styles.dot} aria-hidden /> : <IconEye size={14} aria-hidden />}
      <span className={styles.cut}>{opened ? because : text}</span>
      <button type="button" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {t('oversight.why')}
        <IconChevronDown size={12} aria-hidden />
      </button>
    </span>
  )
}

function useLineText(row: OversightRow): string {
  const t = useTranslate()
  const language = useLanguage()
  const name = row.viewer.name || t('oversight.gone')
  const minutes = minutesOf(row)
  const time = formatDateTime(new Date(row.time), language)
  if (row.is_reading) return t('oversight.now', { name })
  return minutes === null
    ? t('oversight.lineOpened', { name, time })
    : t('oversight.line', { name, time, count: minutes })
}
