import { useDeferredValue, useMemo } from 'react'
import { isInContext, roughTokens } from '#contract/context.ts'
import { attachmentsOf, type KeptAttachment, type Message, textOf } from '#contract/messages.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import type { Price } from './cost.ts'
import { attachmentsIn, useDrafts } from './drafts.ts'
import { type EarlierFacts, useEarlierFacts } from './earlier.ts'
import { planned, type Plan, type Planned, tokensOf, tokensOfPicture } from './weights.ts'
import { storedAttachment } from './attachment.ts'

const counted = new WeakMap<Message, number>()

/** Of what was said before, as far as it is sent to a model. */
export function conversationTokens(messages: readonly Message[], facts: EarlierFacts, model: string): number {
  return messages.reduce(
    (sum, message) => (isInContext(message) ? sum + textTokens(message) + attachedTokens(message, facts, model) : sum),
    0,
  )
}

function textTokens(message: Message): number {
  const known = counted.get(message)
  if (known !== undefined) return known
  const tokens = roughTokens(textOf(message))
  counted.set(message, tokens)
  return tokens
}

function attachedTokens(message: Message, facts: EarlierFacts, model: string): number {
  if (message.metadata?.source !== 'openai_api') return 0
  return attachmentsOf(message).reduce((sum, attached) => sum + tokensOfSent(attached, facts, model), 0)
}

function tokensOfSent(sent: SentFile, facts: EarlierFacts, model: string): number {
  if (!isKept(sent)) return 0
  const file = facts.get(sent.id)
  // What is gone is not sent again.
  if (file !== undefined && file.gone !== null) return 0
  if (file === undefined)
    return sent.as === 'picture'
      ? tokensOfPicture({ width: sent.width ?? null, height: sent.height ?? null }, model)
      : 0
  const form = { as: sent.as, pages: sent.pages ?? null }
  return tokensOf(storedAttachment('', file), form, model) ?? 0
}

type SentFile = ReturnType<typeof attachmentsOf>[number]

export const isKept = (sent: SentFile): sent is KeptAttachment => 'as' in sent

/** The plan of a draft, outside of components. */
export function planOf(draft: QuestionDraft): Plan {
  return planned(attachmentsIn(draft.conversation), questionTokens(draft.text), modelOf(draft), othersOf(draft))
}

const questionTokens = (text: string): number => (text === '' ? 0 : roughTokens(text))

export const modelOf = ({ models, model }: QuestionDraft) => models.find(({ code }) => code === model) ?? null

export const othersOf = ({ models, model }: QuestionDraft) => models.filter(({ code }) => code !== model)

/** How the context is shared out, and what the model costs. `length`: null where it is not known. */
export type Shared = { plan: Plan; conversation: number; question: number; length: number | null; price: Price }

/** An attachment in its row, with what the row says of it. */
export type RowProps = { planned: Planned; draft: QuestionDraft; shared: Shared; onRemove(): void }

export function useShared(draft: QuestionDraft): Shared {
  const { conversation, messages, model, models } = draft
  const attachments = useDrafts(all => all[conversation])
  const text = useDeferredValue(draft.text)
  const facts = useEarlierFacts(attachments === undefined || attachments.length === 0 ? NO_MESSAGES : messages)
  const question = useMemo(() => questionTokens(text), [text])
  const before = useMemo(
    () => (attachments === undefined || attachments.length === 0 ? 0 : conversationTokens(messages, facts, model)),
    [attachments, messages, facts, model],
  )
  return useMemo(() => {
    const chosen = models.find(({ code }) => code === model) ?? null
    const others = models.filter(({ code }) => code !== model)
    const plan = planned(attachments ?? [], question, chosen, others)
    return { plan, conversation: before, question, length: chosen?.context_length ?? null, price: chosen?.price }
  }, [attachments, question, before, model, models])
}

const NO_MESSAGES: readonly Message[] = []
