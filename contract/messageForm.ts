import type { WebConversationMetadata } from './conversations.ts'
import type { Content, Message, MessageMetadata, Role } from './messages.ts'

/** Content and metadata as they are stored. */
export type StoredMessage = { content: Content | null; metadata: MessageMetadata | null }
export type Author = { role: string; author_name: string | null }

/** How the messages of a source are written: clients read content and metadata by the source of a message. */
export type MessageForm = {
  /** A message as it would be stored now: earlier versions could read fewer kinds. */
  read(author: Author, stored: StoredMessage): StoredMessage & { isHidden: boolean }
  /** Whether content is in a form that no other source writes. */
  isOwn(content: Content | null): boolean
  content(content: Content | null): Content | null
  metadata(metadata: MessageMetadata | null): MessageMetadata
  /** Metadata with what older clients want of a message. */
  addressed(message: Message, children: readonly Role[]): MessageMetadata | null
  /** Pointers to the pictures that were made by what an answer ran. */
  madePictures(metadata: MessageMetadata): string[]
  ofConversation(stored: Record<string, unknown> | null): WebConversationMetadata | null
}
