import { Menu } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import type { ModelChoice } from '#contract/models.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconFile, IconPhoto } from '#web/kit/icons.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import { modelProblems } from './modelProblems.ts'
import styles from './models.module.css'
import { type Shared, useShared } from './plan.ts'
import { shortContext, takes } from './weights.ts'

type ModelMenuProps = { label: string; className: string | undefined; draft: QuestionDraft; children: ReactNode }

/** The models with what each can. Those that cannot take this question come last, with the reason. Opened at once. */
export function ModelMenu({ label, className, draft, children }: ModelMenuProps) {
  const t = useTranslate()
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(true)
  const shared = useShared(draft)
  const { attachments } = shared.plan
  const pictures = attachments.filter(({ attachment }) => attachment.content?.kind === 'picture').length
  const rows = draft.models.map(model => ({ model, problems: modelProblems(model, shared, t) }))
  const able = rows.filter(({ problems }) => problems.length === 0)
  const unable = rows.filter(({ problems }) => problems.length > 0)
  const currency = draft.models.find(({ price }) => price !== undefined)?.price?.currency
  const onChange = (next: boolean) => {
    setOpened(next)
    if (!next) target.current?.focus()
  }
  return (
    <Menu opened={opened} onChange={onChange} position="top-start" width={420}>
      <Menu.Target>
        <button type="button" ref={target} className={className} aria-label={label} data-tip={label}>
          {children}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu} aria-label={t('attachments.models')}>
        <div className={styles.heads} aria-hidden data-prices={currency !== undefined || undefined}>
          <span>
            {attachments.length === 0
              ? ''
              : t('attachments.modelsFor', { pictures, documents: attachments.length - pictures })}
          </span>
          <span>{t('attachments.columnPictures')}</span>
          <span>{t('attachments.columnFiles')}</span>
          <span>{t('attachments.contextLabel')}</span>
          {currency !== undefined && (
            <span title={t('attachments.priceHelp', { currency })}>{t('attachments.columnPrice')}</span>
          )}
        </div>
        {[...able, ...unable].map(({ model, problems }, at) => (
          <ModelEntry
            key={model.code}
            model={model}
            problems={problems}
            draft={draft}
            isFirstUnable={at === able.length && able.length > 0}
            shared={{ ...shared, hasPrices: currency !== undefined }}
          />
        ))}
        <p className={styles.note} aria-hidden>
          {t('attachments.unknown')}
        </p>
      </Menu.Dropdown>
    </Menu>
  )
}

type ModelEntryProps = {
  model: ModelChoice
  problems: readonly string[]
  draft: QuestionDraft
  isFirstUnable: boolean
  shared: Shared & { hasPrices: boolean }
}

function ModelEntry({ model, problems, draft, isFirstUnable, shared }: ModelEntryProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const { code } = model
  const isChosen = code === draft.model
  const isUnable = problems.length > 0
  const mayNotSee = model.takes_pictures === null && shared.plan.attachments.some(({ form }) => form.as === 'picture')
  return (
    <>
      {isFirstUnable && <Menu.Divider />}
      <Menu.RadioItem
        value={code}
        checked={isChosen}
        closeMenuOnClick
        checkIcon={<IconCheck size={16} aria-hidden className={styles.check} />}
        // The chosen one can be reached in any case: the menu opens on it.
        disabled={isUnable && !isChosen}
        className={isUnable ? `${styles.entry} ${styles.unable}` : styles.entry}
        data-autofocus={isChosen || undefined}
        data-model={code}
        onFocus={event => event.currentTarget.scrollIntoView({ block: 'nearest' })}
        onChange={() => draft.choose(code)}
      >
        <span className={styles.columns} data-prices={shared.hasPrices || undefined}>
          <b>{modelName(code)}</b>
          <Facts model={model} />
          {shared.hasPrices && <ModelPrice model={model} />}
          {isUnable && <small>{problems.join(t('attachments.comma'))}</small>}
          {!isUnable && mayNotSee && <small>{t('attachments.modelMaySee')}</small>}
        </span>
      </Menu.RadioItem>
    </>
  )
}

/** In and out, a million tokens; a dash where nobody knows. */
function ModelPrice({ model: { price } }: { model: ModelChoice }) {
  const t = useTranslate()
  return (
    <span className={styles.context} data-testid="model-price">
      <span aria-hidden>{price === undefined ? '–' : `${price.input} / ${price.output}`}</span>
      <span className="visually-hidden">
        {price === undefined ? t('attachments.priceUnknown') : t('attachments.modelPrice', price)}
      </span>
    </span>
  )
}

/** Three columns: pictures, files, context. A dash is a no, a blank is not known. */
export function Facts({ model }: { model: ModelChoice }) {
  const t = useTranslate()
  const { takes_pictures, takes_files, context_length } = model
  return (
    <>
      <Fact can={takes(model, 'picture')} yes={t('attachments.modelSees')} no={t('attachments.modelSeesNot')}>
        {takes_pictures === true && <IconPhoto size={16} stroke={1.6} aria-hidden />}
      </Fact>
      <Fact can={takes_files} yes={t('attachments.modelReads')} no={t('attachments.modelReadsNot')}>
        {takes_files === true && <IconFile size={16} stroke={1.6} aria-hidden />}
      </Fact>
      <span className={styles.context}>
        {context_length !== null && (
          <>
            <span aria-hidden>{shortContext(context_length)}</span>
            <span className="visually-hidden">
              {t('attachments.modelContext', { length: shortContext(context_length) })}
            </span>
          </>
        )}
      </span>
    </>
  )
}

function Fact({ can, yes, no, children }: { can: boolean | null; yes: string; no: string; children: ReactNode }) {
  return (
    <span className={styles.fact} title={can === null ? undefined : can ? yes : no}>
      {children}
      {can === false && <span aria-hidden>–</span>}
      {can !== null && <span className="visually-hidden">{can ? yes : no}</span>}
    </span>
  )
}
