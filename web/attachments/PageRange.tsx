import { useId, useState } from 'react'
import { pagesIn, rangesIn, textOfPages } from '#contract/pages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './formChoice.module.css'

type PageRangeProps = {
  /** How many pages there are. */
  count: number
  /** Null: all. */
  pages: string | null
  onChange(pages: string | null): void
}

/** Which pages go with the question; what is no range of this document is said to be none, and changes nothing. */
export function PageRange({ count, pages, onChange }: PageRangeProps) {
  const t = useTranslate()
  const id = useId()
  const [typed, setTyped] = useState(() => pages ?? textOfPages(pagesIn(null, count)))
  const isWrong = chosenPages(typed, count) === undefined
  const write = (text: string) => {
    setTyped(text)
    const chosen = chosenPages(text, count)
    if (chosen !== undefined && chosen !== pages) onChange(chosen)
  }
  return (
    <div className={styles.range}>
      <label htmlFor={id}>{t('attachments.pages')}</label>
      <input
        id={id}
        value={typed}
        inputMode="text"
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}hint`}
        data-testid="attachment-pages"
        onChange={event => write(event.currentTarget.value)}
      />
      <span id={`${id}hint`} className={isWrong ? styles.wrong : undefined} role={isWrong ? 'alert' : undefined}>
        {isWrong ? t('attachments.wrongPages', { count }) : t('attachments.pagesHint')}
      </span>
    </div>
  )
}

/** Null for all pages, undefined for what names none of them, or one that is not there. */
export function chosenPages(text: string, count: number): string | null | undefined {
  if (text.trim() === '') return null
  const ranges = rangesIn(text)
  if (ranges === null || ranges.some(({ last }) => last > count)) return undefined
  const numbers = pagesIn(text, count)
  return numbers.length === count ? null : textOfPages(numbers)
}
