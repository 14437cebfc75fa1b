import { useId } from 'react'
import { useModelName } from '#web/foundation/portal.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import type { DraftAttachment } from './attachment.ts'
import styles from './attachments.module.css'
import { costText, type Price } from './cost.ts'
import { RowParts } from './DocumentRow.tsx'
import type { RowProps } from './plan.ts'
import { change } from './drafts.ts'
import { shortContext, shortCount, type Way } from './weights.ts'

/** A document that does not fit, with what can be done: none is chosen at first, and the question waits for one. */
export function TooLong(row: RowProps) {
  const t = useTranslate()
  const group = useId()
  const { planned, draft } = row
  const { attachment, tooLong } = planned
  const ways = tooLong?.ways ?? []
  const priceOf = (way: Way): Price =>
    way.kind === 'model' ? draft.models.find(({ code }) => code === way.code)?.price : row.shared.price
  const choose = (way: Way) => {
    if (way.kind === 'model') draft.choose(way.code)
    else change(attachment.id, now => ({ ...now, remedy: remedyOf(way) }))
  }
  return (
    <li ref={intoView} className={styles.tooLong} data-testid="attachment" data-phase="too-long">
      <div className={styles.row}>
        <RowParts {...row} />
      </div>
      {ways.length === 0 ? (
        <p className={styles.noWay} role="status">
          {t('attachments.noWay')}
        </p>
      ) : (
        <div role="radiogroup" aria-label={t('attachments.ways')} className={styles.ways}>
          {ways.map(way => (
            <label key={way.kind} className={styles.way} data-way={way.kind}>
              <input type="radio" name={group} checked={isChosen(attachment, way)} onChange={() => choose(way)} />
              <WayText way={way} price={priceOf(way)} />
            </label>
          ))}
        </div>
      )}
    </li>
  )
}

/** A ref: what is to be chosen is seen, however many files there are. */
const intoView = (row: HTMLElement | null): void => {
  void row?.scrollIntoView({ block: 'nearest' })
}

const remedyOf = (way: Exclude<Way, { kind: 'model' }>): DraftAttachment['remedy'] =>
  way.kind === 'pages' ? { kind: 'pages', pages: way.pages } : { kind: 'text' }

const isChosen = ({ remedy }: DraftAttachment, { kind }: Way): boolean => remedy?.kind === kind

function WayText({ way, price }: { way: Way; price: Price }) {
  const t = useTranslate()
  const modelName = useModelName()
  const cost = costText(way.tokens, price, useLanguage())
  const about = t('attachments.about', { tokens: shortCount(way.tokens) })
  const tokens = (
    <span className={styles.wayTokens}>{cost === null ? about : `${about}${t('attachments.comma')}${cost}`}</span>
  )
  switch (way.kind) {
    case 'pages':
      return (
        <>
          <b>
            {way.is_first
              ? t('attachments.wayFirst', { count: way.count })
              : t('attachments.wayPages', { pages: way.pages })}
          </b>
          {tokens}
          <small>{t('attachments.wayPagesLoss', { count: way.left_out })}</small>
        </>
      )
    case 'text':
      return (
        <>
          <b>{t('attachments.wayText')}</b>
          {tokens}
          <small>{t('attachments.wayTextLoss')}</small>
        </>
      )
    case 'model':
      return (
        <>
          <b>{t('attachments.wayModel', { model: modelName(way.code) })}</b>
          {tokens}
          <small>{t('attachments.wayModelLoss', { length: shortContext(way.context_length) })}</small>
        </>
      )
  }
}
