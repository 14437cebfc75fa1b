import { type KeyboardEvent, useId, useRef } from 'react'
import { Button } from '@mantine/core'
import type { AttachedAs } from '#contract/asking.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconEye } from '#web/kit/icons.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import { costText } from './cost.ts'
import { type DraftAttachment, type DocumentContent, usualForm } from './attachment.ts'
import styles from './formChoice.module.css'
import { change } from './drafts.ts'
import { PageRange } from './PageRange.tsx'
import { modelOf, type Shared } from './plan.ts'
import { mostPages, type Planned, shareText, shortCount, takes, tokensOf } from './weights.ts'

type FormChoiceProps = {
  planned: Planned
  draft: QuestionDraft
  shared: Shared
  onRead(): void
  onRemove(): void
}

/** Where a document can go as text, as pictures or as it is: what of it is seen, and what that takes. */
export function FormChoice({ planned, draft, shared, onRead, onRemove }: FormChoiceProps) {
  const t = useTranslate()
  const language = useLanguage()
  const { attachment } = planned
  const { content } = attachment
  if (content?.kind !== 'document') return null
  const columns = columnsOf(content, draft)
  const pageCount = content.page_count
  const size = formatBytes(attachment.size, language)
  return (
    <div className={styles.choice}>
      <p className={styles.size}>
        {pageCount === null
          ? size
          : `${t('attachments.pageCount', { count: pageCount })}${t('attachments.comma')}${size}`}
      </p>
      <Forms attachment={attachment} columns={columns} />
      <Comparison attachment={attachment} columns={columns} model={draft.model} shared={shared} />
      {pageCount !== null && pageCount > 1 && planned.form.as !== 'file' && (
        <PageRange
          count={pageCount}
          pages={attachment.pages}
          onChange={pages => change(attachment.id, now => ({ ...now, pages, remedy: null }))}
        />
      )}
      <div className={styles.foot}>
        {content.tokens !== null && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<IconEye size={14} aria-hidden />}
            onClick={onRead}
          >
            {t('attachments.seeText')}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="xs" className={styles.remove} onClick={onRemove}>
          {t('attachments.removeIt')}
        </Button>
      </div>
    </div>
  )
}

type Column = { as: AttachedAs; testid: string; isPossible: boolean }

/** Text and pictures are there always; the file itself where the model takes files. */
function columnsOf({ tokens, has_layout }: DocumentContent, draft: QuestionDraft): Column[] {
  const model = modelOf(draft)
  const columns: Column[] = [
    { as: 'text', testid: 'attachment-as-text', isPossible: tokens !== null },
    { as: 'picture', testid: 'attachment-as-pictures', isPossible: has_layout },
  ]
  return model !== null && takes(model, 'file') === true
    ? [...columns, { as: 'file', testid: 'attachment-as-file', isPossible: true }]
    : columns
}

const NAMES = {
  text: 'attachments.chooseText',
  picture: 'attachments.choosePictures',
  file: 'attachments.chooseFile',
} as const satisfies Record<AttachedAs, string>

const asOf = ({ as, content }: DraftAttachment): AttachedAs => as ?? usualForm(content)

function Forms({ attachment, columns }: { attachment: DraftAttachment; columns: readonly Column[] }) {
  const t = useTranslate()
  const group = useRef<HTMLDivElement>(null)
  const chosen = asOf(attachment)
  const possible = columns.filter(({ isPossible }) => isPossible)
  const choose = (as: AttachedAs) => change(attachment.id, now => ({ ...now, as, remedy: null }))
  // As the radio buttons of a browser: an arrow key moves and chooses.
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = possible.findIndex(({ as }) => as === chosen)
    const next = possible[(at + step + possible.length) % possible.length]
    if (next === undefined) return
    choose(next.as)
    group.current?.querySelector<HTMLElement>(`[data-testid=${next.testid}]`)?.focus()
  }
  return (
    <div ref={group} className={styles.forms} role="radiogroup" aria-label={t('attachments.how')}>
      {columns.map(({ as, testid, isPossible }) => (
        <button
          key={as}
          type="button"
          role="radio"
          aria-checked={as === chosen}
          tabIndex={as === chosen ? 0 : -1}
          disabled={!isPossible}
          className={styles.form}
          data-testid={testid}
          data-autofocus={as === chosen || undefined}
          onKeyDown={onKeyDown}
          onClick={() => choose(as)}
        >
          {t(NAMES[as])}
        </button>
      ))}
    </div>
  )
}

type ComparisonProps = { attachment: DraftAttachment; columns: readonly Column[]; model: string; shared: Shared }

/** All columns are always to be seen, whichever is chosen. */
function Comparison({ attachment, columns, model, shared }: ComparisonProps) {
  const t = useTranslate()
  const id = useId()
  const language = useLanguage()
  const chosen = asOf(attachment)
  const cells = columns.map(column => cellsOf(attachment, column, shared))
  const rows = [
    { key: 'sees', label: t('attachments.sees') },
    { key: 'misses', label: t('attachments.misses') },
    { key: 'tokens', label: 'token' },
    ...(shared.length === null ? [] : [{ key: 'context', label: t('attachments.contextLabel') } as const]),
    ...(shared.price === undefined ? [] : [{ key: 'cost', label: t('attachments.costLabel') } as const]),
  ] as const
  return (
    <table className={styles.table}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('attachments.how')}</th>
          {columns.map(({ as }) => (
            <th key={as} scope="col">
              {t(NAMES[as])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label }) => (
          <tr key={key}>
            <th scope="row" id={`${id}${key}`}>
              {label}
            </th>
            {columns.map(({ as }, at) => (
              <td
                key={as}
                className={as === chosen ? styles.chosen : undefined}
                data-amber={(key === 'context' && cells[at]?.isTooLong) || undefined}
              >
                {cells[at]?.[key]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )

  function cellsOf(of: DraftAttachment, { as, isPossible }: Column, { plan, length, conversation, question }: Shared) {
    const none = { sees: '–', misses: '', tokens: '–', context: '–', cost: '–', isTooLong: false }
    if (!isPossible) return { ...none, misses: t(as === 'text' ? 'attachments.hasNoText' : 'attachments.hasNoLayout') }
    const form = { as, pages: of.pages }
    const tokens = tokensOf(of, form, model) ?? 0
    const own = plan.attachments.find(({ attachment: { id: other } }) => other === of.id)?.tokens ?? 0
    const room = (plan.room ?? 0) - question - (plan.tokens - own)
    const most = length === null ? null : mostPages(of, form, model, room)
    const share = shareText(tokens, (length ?? 0) - conversation - question - (plan.tokens - own))
    return {
      sees: t(SEES[as]),
      misses: t(MISSES[as]),
      tokens: t('attachments.about', { tokens: shortCount(tokens) }),
      cost: costText(tokens, shared.price, language) ?? '–',
      context:
        most === null
          ? share === null
            ? t('attachments.little')
            : t('attachments.takes', { share })
          : most === 0
            ? t('attachments.tooLong')
            : t('attachments.tooLongPages', { count: most }),
      isTooLong: most !== null,
    }
  }
}

const SEES = {
  text: 'attachments.textSees',
  picture: 'attachments.picturesSee',
  file: 'attachments.fileSees',
} as const satisfies Record<AttachedAs, string>
const MISSES = {
  text: 'attachments.textMisses',
  picture: 'attachments.picturesMiss',
  file: 'attachments.fileMisses',
} as const satisfies Record<AttachedAs, string>
