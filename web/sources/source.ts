import type { ComponentType, ReactElement } from 'react'
import type { AskRequest } from '#contract/asking.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { Message } from '#contract/messages.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { Portal } from '#contract/status.ts'
import type { PlainKey, Translate } from '#web/i18n/dictionary.ts'
import type { LazyComponent } from '#web/kit/lazyComponent.tsx'
import type { AdminSlots } from './adminSlots.ts'

/**
 * A source as the page sees it: what is true of its conversations, and what it puts into the page. Rooms ask it and
 * never compare names. It is part of the first load, so what it shows is lazy.
 */
export type PageSource = {
  name: Source
  /** A line about it in the dialog of a new conversation. */
  hint: PlainKey | null
  /** Whether an answer can be continued in a copy of its conversation. */
  forks: boolean
  /** Whether its upstream keeps conversations, so that one may be known here of which nothing is stored. */
  keepsConversations: boolean
  /** Whether its answers have messages with nothing in them, which are not shown. */
  hasEmptyMessages: boolean
  /** Which files can be sent with a question; null for none. */
  files: FileTraits | null
  newConversation: NewConversationSlot | null
  /** A word about a conversation beside its title. */
  markOf(record: ConversationRecord): PlainKey | null
  /** What the header of a conversation shows beside the title. An element is rendered anew when its key differs. */
  headerParts(conversation: HeaderConversation): readonly ReactElement[]
  /** Loads what it puts into the admin area; null for nothing. */
  loadAdminSlots: (() => Promise<AdminSlots>) | null
  /** Loads how the tools are called that answers name; null where they are called as they are named. */
  loadToolNames: (() => Promise<ToolNames>) | null
  /** Where a file is that a tool has written in an answer; null where tools write none. */
  toolFileAddress: ((conversation_id: string, message_id: string, path: string) => Promise<string>) | null
  /**
   * Begins to fetch the fields that an ask needs when it is sent; null when it needs none. The ask is sent without
   * those that cannot be had.
   */
  fetchFields(signal: AbortSignal): Promise<AskFields> | null
}

/** Fields of a request that only some sources know. */
export type AskFields = Omit<AskRequest, 'ask_id' | 'source' | 'model' | 'new_conversation' | 'text_content'>

export type FileTraits = {
  /** Why none can be sent to this model; null when they can. */
  disabledReason(model: ModelChoice | null, setting: UserSetting): PlainKey | null
  /** Loads what holds the files of drafts; null where it is what the page has for all (web/attachments). */
  loadDrafts: (() => Promise<DraftFilesModule>) | null
  /** The metadata of a question as it is shown until the server has stored it. */
  metadataOf(request: AskFields): Message['metadata']
  /** The fields that name the files of a question once more, but those that are left out. */
  fieldsOf(model: ModelChoice | null, question: Message, without: ReadonlySet<string>): AskFields
}

/** What a new conversation can begin with besides a model and a title. */
export type NewConversationSlot = {
  /** Whether this model leaves something to choose. */
  hasFields(model: string | null): boolean
  Fields: LazyComponent<{ fields: AskFields; onChange(fields: AskFields): void }>
  /** What was chosen, from the request that began the conversation. */
  fieldsOf(request: AskRequest | null): AskFields
  /** The metadata that the server stores for it. */
  metadataOf(fields: AskFields): ConversationHistory['metadata']
}

export type HeaderConversation = {
  /** Null while it is not stored, and where it is only read. */
  id: string | null
  /** What it begins with, while it is not stored. */
  fields: AskFields
  history: ConversationHistory | null
  messages: readonly Message[]
}

/** A tool of others, as an answer names it. */
export type UsedTool = { id: string | null; namespace: string | null }

export type ToolNames = {
  /** A name that was read already. */
  known(used: UsedTool): string | null
  /** A hook: a name as soon as it is known. Null as long as the name may still come. */
  useName(used: UsedTool, running: boolean): string | null
}

/** A source with nothing of its own. */
export function plainSource(name: Source): PageSource {
  return {
    name,
    hint: null,
    forks: false,
    keepsConversations: false,
    hasEmptyMessages: false,
    files: null,
    newConversation: null,
    markOf: () => null,
    headerParts: () => [],
    loadAdminSlots: null,
    loadToolNames: null,
    toolFileAddress: null,
    fetchFields: () => null,
  }
}

/** The question that is being written, as what holds its files needs to know it. */
export type QuestionDraft = {
  conversation: string
  text: string
  write(text: string): void
  source: Source
  model: string
  models: readonly ModelChoice[]
  choose(model: string): void
  /** The thread that the question goes on. */
  messages: readonly Message[]
  /** What the portal takes. */
  bounds: Portal['files']
}

/** `phone`: all ways, in a sheet; `earlier`: the files that were used before. */
export type AttachChoicesProps = {
  draft: QuestionDraft
  of: 'phone' | 'earlier'
  onFiles(files: File[]): void
  onClose(): void
}

export type DraftFilesState = {
  /** Why the question cannot be sent with its files; null when it can. */
  disabledReason: string | null
  /** What will be sent of them, where that is not plain. */
  hint: string | null
  /** The fields of the request. */
  fields: AskFields
}

/** Why a question is refused for its files: a key of the language files, and its values. */
export type FilesRefusal = { message: string; values: RefusalValues | null }

/** Holds the files of drafts, and draws them in the composer. Loaded when there are any. */
export type DraftFilesModule = {
  subscribe(listener: () => void): () => void
  /** Brings back what was kept of a draft. */
  open(conversation: string): void
  /** The files of a draft: the same array while nothing has changed. */
  filesOf(conversation: string): readonly unknown[]
  attach(draft: QuestionDraft, files: readonly File[]): void
  /** A text that was pasted; null where it is to stay one. */
  attachText: ((draft: QuestionDraft, text: string) => void) | null
  /** The `accept` of a file input; undefined takes any type. */
  acceptOf(draft: QuestionDraft): string | undefined
  stateOf(draft: QuestionDraft, t: Translate): DraftFilesState
  /** Above the text of the question: its files. */
  List: ComponentType<{ draft: QuestionDraft; isDraggedOver: boolean }>
  /** Above the composer: what is in the way of sending them. Null where nothing can be. */
  Head: ComponentType<{ draft: QuestionDraft }> | null
  /** What else can be attached than by the system’s dialog. Null for nothing. */
  Choices: ComponentType<AttachChoicesProps> | null
  /** The server has accepted a question with these: those added since move to the conversation’s new id. */
  settle(from: string, to: string, sent: AskFields): void
  /** The server refuses a question for these. */
  refuse(conversation: string, refused: AskFields, reason: FilesRefusal): void
  /** Puts the files of a withdrawn question back into the draft. */
  putBack(conversation: string, question: Message): void
}
