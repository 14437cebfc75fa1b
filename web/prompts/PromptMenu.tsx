import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlignLeft, IconList, IconPlus } from '#web/kit/icons.ts'
import { hitIn } from './matches.ts'
import type { MenuRow, PromptRows } from './usePromptRows.ts'
import styles from './prompts.module.css'

type MenuProps = { id: string; query: string; rows: PromptRows; onChoose(row: MenuRow): void }

export const rowId = (menuId: string, at: number): string => `${menuId}-${at}`

/** Above the composer: one's own prompts, then everybody's. The focus stays in the field. */
export function PromptMenu({ id, query, rows, onChoose }: MenuProps) {
  const t = useTranslate()
  const { found, all, active, error } = rows
  const count = found.own.length + found.shared.length
  const rowAt = (at: number, content: ReactNode) => (
    <Row key={at} id={rowId(id, at)} isActive={at === active} onChoose={() => all[at] && onChoose(all[at])}>
      {content}
    </Row>
  )
  const promptAt = (prompt: Prompt, at: number) => rowAt(at, <PromptRow prompt={prompt} query={query} />)
  return (
    <div
      role="presentation"
      className={styles.menu}
      data-testid="prompt-menu"
      // A press would take the focus from the field, and the menu would go with it.
      onMouseDown={event => event.preventDefault()}
    >
      {error !== null && count === 0 && <p className={styles.nothing}>{failureText(error)}</p>}
      {error === null && count === 0 && (
        <p className={styles.nothing}>{t(query === '' ? 'prompts.none' : 'prompts.noMatch')}</p>
      )}
      <div role="listbox" id={id} aria-label={t('prompts.title')} className={styles.rows}>
        <div className={styles.found} data-testid="prompts-found">
          <Group title={t('prompts.own')}>{found.own.map((prompt, at) => promptAt(prompt, at))}</Group>
          <Group title={t('prompts.shared')}>
            {found.shared.map((prompt, at) => promptAt(prompt, found.own.length + at))}
          </Group>
        </div>
        <div role="group" aria-label={t('prompts.more')} className={styles.more}>
          {rowAt(
            count,
            <>
              <IconPlus size={16} aria-hidden />
              <span className={styles.name}>{t('prompts.saveDraft')}</span>
            </>,
          )}
          {rowAt(
            count + 1,
            <>
              <IconList size={16} aria-hidden />
              <span className={styles.name}>{t('prompts.manage')}</span>
            </>,
          )}
        </div>
      </div>
    </div>
  )
}

function Group({ title, children }: { title: string; children: readonly ReactNode[] }) {
  const id = useId()
  if (children.length === 0) return null
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={styles.group}>
        {title}
      </div>
      {children}
    </div>
  )
}

type RowProps = { id: string; isActive: boolean; onChoose(): void; children: ReactNode }

function Row({ id, isActive, onChoose, children }: RowProps) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      type="button"
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      // The focus stays in the field, whose keys move here.
      tabIndex={-1}
      className={styles.row}
      onClick={onChoose}
    >
      {children}
    </button>
  )
}

function PromptRow({ prompt, query }: { prompt: Prompt; query: string }) {
  return (
    <>
      <IconAlignLeft size={16} aria-hidden />
      <span dir="auto" className={styles.name}>
        <Hit text={prompt.name} query={query} />
      </span>
      <span className={styles.short}>
        /<Hit text={prompt.short_name} query={query} />
      </span>
      <small dir="auto" className={styles.first}>
        {prompt.text.trimStart().slice(0, MAX_PREVIEW)}
      </small>
    </>
  )
}

/** More does not fit into a line. */
const MAX_PREVIEW = 200

function Hit({ text, query }: { text: string; query: string }) {
  const hit = hitIn(text, query)
  if (hit === null) return text
  const [before, marked, behind] = hit
  return (
    <>
      {before}
      <mark>{marked}</mark>
      {behind}
    </>
  )
}
