import { Button, Switch, Textarea } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { roughTokens } from '#contract/context.ts'
import { type ConversationInstructions, MAX_INSTRUCTIONS } from '#contract/instructions.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconLock, IconPencil, IconPlus } from '#web/kit/icons.ts'
import { keepConversationInstructions, type ShownInstructions, tokensOfLayers, tokensOfOwn } from './instructions.ts'
import styles from './instructions.module.css'

type LayersProps = {
  /** Null while the conversation is not stored. */
  id: string | null
  shown: ShownInstructions
  onEditOwn(): void
}

/** Every text that a model is told first, whole, with its tokens. */
export function InstructionLayers({ id, shown, onEditOwn }: LayersProps) {
  const t = useTranslate()
  const { portal, plan, conversation, sent } = shown
  const keep = (given: ConversationInstructions) => keepConversationInstructions(id, given)
  return (
    <>
      <ol className={styles.list}>
        <LockedLayer text={portal} title={t('instructions.ofPortal')} />
        <LockedLayer text={plan} title={t('instructions.ofPlan')} />
        <OwnLayer shown={shown} onEdit={onEditOwn} onKeep={keep} />
        <ConversationLayer conversation={conversation} onKeep={keep} />
      </ol>
      <footer className={styles.foot}>
        <span>{t('instructions.order')}</span>
        <span className={styles.total}>{t('instructions.total', { tokens: tokensOfLayers(sent) })}</span>
      </footer>
    </>
  )
}

/** What others say, shown and not to be changed here. */
function LockedLayer({ text, title }: { text: string | null; title: string }) {
  const t = useTranslate()
  if (text === null || text === '') return null
  const head = (
    <>
      <IconLock size={14} aria-hidden />
      {title}
      <span className={styles.hint}>{t('instructions.ofPortal.hint')}</span>
    </>
  )
  return (
    <Layer title={head} tokens={tokensOfText(text)}>
      <LayerText text={text} />
    </Layer>
  )
}

type LayerProps = { title: ReactNode; tokens: number; children: ReactNode }

/** `tokens`: 0 for a layer that is empty. */
function Layer({ title, tokens, children }: LayerProps) {
  const t = useTranslate()
  return (
    <li className={styles.layer}>
      <span className={styles.by}>{title}</span>
      <span className={styles.tokens}>{tokens === 0 ? '–' : t('instructions.tokens', { tokens })}</span>
      {children}
    </li>
  )
}

/** `none`: what is said in place of an empty text. */
function LayerText({ text, none = '', isFolded = false }: { text: string; none?: string; isFolded?: boolean }) {
  return (
    <p dir="auto" className={`${styles.text} ${isFolded ? styles.folded : ''}`} data-none={text === '' || undefined}>
      {text === '' ? none : text}
    </p>
  )
}

const tokensOfText = (text: string): number => (text.trim() === '' ? 0 : roughTokens(text))

type Keep = (given: ConversationInstructions) => Promise<void>

type OwnProps = { shown: ShownInstructions; onEdit(): void; onKeep: Keep }

function OwnLayer({ shown: { own, conversation }, onEdit, onKeep }: OwnProps) {
  const t = useTranslate()
  // Without the words in English that go around them.
  const text = [own.about_me, own.how_to_answer].filter(part => part !== '').join('\n')
  return (
    <Layer title={t('instructions.own')} tokens={tokensOfOwn(own)}>
      <LayerText text={text} none={t('instructions.ownNone')} isFolded />
      <div className={styles.actions}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconPencil size={14} aria-hidden />}
          onClick={onEdit}
        >
          {t('instructions.edit')}
        </Button>
        {text !== '' && (
          <Switch
            size="sm"
            labelPosition="left"
            label={t('instructions.withOwn')}
            checked={conversation.with_own ?? own.is_on}
            onChange={event => {
              const with_own = event.currentTarget.checked
              onKeep({ ...conversation, with_own: with_own === own.is_on ? null : with_own }).catch(reportFailure)
            }}
          />
        )}
      </div>
    </Layer>
  )
}

type ConversationProps = { conversation: ConversationInstructions; onKeep: Keep }

function ConversationLayer({ conversation, onKeep }: ConversationProps) {
  const t = useTranslate()
  const [typed, setTyped] = useState<string | null>(null)
  const title = t('instructions.ofConversation')
  if (typed !== null)
    return <ConversationForm {...{ title, typed, setTyped }} onSave={text => onKeep({ ...conversation, text })} />
  const { text } = conversation
  return (
    <Layer title={title} tokens={tokensOfText(text)}>
      <LayerText text={text} none={t('instructions.ofConversationNone')} />
      <div className={styles.actions}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          data-testid="instructions-edit"
          leftSection={text === '' ? <IconPlus size={14} aria-hidden /> : <IconPencil size={14} aria-hidden />}
          onClick={() => setTyped(text)}
        >
          {t(text === '' ? 'instructions.add' : 'instructions.edit')}
        </Button>
      </div>
    </Layer>
  )
}

type FormProps = {
  title: string
  typed: string
  setTyped(text: string | null): void
  onSave(text: string): Promise<void>
}

function ConversationForm({ title, typed, setTyped, onSave }: FormProps) {
  const t = useTranslate()
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = async () => {
    setPending(true)
    try {
      await onSave(typed.trim())
      setTyped(null)
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <Layer title={title} tokens={tokensOfText(typed)}>
      <div className={styles.form}>
        <Textarea
          autosize
          minRows={3}
          maxRows={10}
          ref={field}
          aria-label={title}
          maxLength={MAX_INSTRUCTIONS}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        <div className={styles.formActions}>
          <span className={styles.hint}>{t('instructions.fromNext')}</span>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setTyped(null)}>
            {t('kit.cancel')}
          </Button>
          <Button size="compact-sm" loading={pending} onClick={() => void save()}>
            {t('kit.save')}
          </Button>
        </div>
      </div>
    </Layer>
  )
}
