import type { Readable } from 'node:stream'
import type { InterpreterInfo, WebConversationMetadata } from '#contract/conversations.ts'
import type { UseCase } from '#contract/files.ts'
import type { Message } from '#contract/messages.ts'
import type { Plugin } from '#contract/plugins.ts'
import type { CheckedAccounts } from '#contract/upstreamAccounts.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import type { ProviderEndpoint } from './endpoint.ts'

/** A conversation as an upstream lists it. Times in epoch milliseconds. */
export type ListedConversation = { id: string; title: string | null; create_time: number | null }

/**
 * A conversation as an upstream keeps it. Times in epoch milliseconds; messages with parents before their children,
 * those that cannot be reached left out.
 */
export type UpstreamConversation = {
  title: string | null
  create_time: number | null
  update_time: number | null
  messages: readonly Message[]
  current_node: string | null
  metadata: WebConversationMetadata
}

export type PluginQuery = { offset: number; limit: number; category: string; search: string }

/** A file whose content goes to a storage host. */
type NewUpstreamFile = { file_name: string; file_size: number; use_case: UseCase }

/**
 * What else a source may be able to do. Whoever needs one takes it with `requirePort`. Each rejects with the refusal
 * that an ask would get (`openai.*`, `upstreamTimeout`, `httpError`) and is done within the endpoint's timeout for
 * ordinary requests. `id` is what the upstream calls a conversation, a plugin or a file.
 */
export type ProviderPorts = {
  /** Reads the list of models that the upstream has. */
  models(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<ListedModel[]>
  /**
   * Resolves when the upstream answers and takes the key: one or two requests that cost nothing, within seconds.
   * Rejects with the refusal that an ask would get.
   */
  test(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<void>

  /** Some of its conversations, from `offset` on; none when there are no more. */
  listConversations(
    endpoint: ProviderEndpoint,
    page: { offset: number; limit: number },
    signal: AbortSignal,
  ): Promise<ListedConversation[]>
  readConversation(endpoint: ProviderEndpoint, id: string, signal: AbortSignal): Promise<UpstreamConversation>
  renameConversation(endpoint: ProviderEndpoint, id: string, title: string, signal: AbortSignal): Promise<void>
  /** One that is gone already counts as hidden. */
  hideConversation(endpoint: ProviderEndpoint, id: string, signal: AbortSignal): Promise<void>
  /** Takes back that it was hidden. */
  showConversation(endpoint: ProviderEndpoint, id: string, signal: AbortSignal): Promise<void>
  /** The title that the upstream makes for a conversation that begins with this answer. */
  titleConversation(endpoint: ProviderEndpoint, id: string, message_id: string, signal: AbortSignal): Promise<string>

  /** The store's plugins, approved ones alone. */
  listPlugins(
    endpoint: ProviderEndpoint,
    query: PluginQuery,
    signal: AbortSignal,
  ): Promise<{ items: Plugin[]; count: number }>
  listInstalledPlugins(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<Plugin[]>
  setPluginInstalled(
    endpoint: ProviderEndpoint,
    id: string,
    is_installed: boolean,
    signal: AbortSignal,
  ): Promise<Plugin>

  readInterpreter(endpoint: ProviderEndpoint, id: string, signal: AbortSignal): Promise<InterpreterInfo>
  /**
   * A short-lived address of a file of the interpreter. Rejects with `sandboxFileNotFound` or
   * `sandboxFileDownloadError`.
   */
  sandboxFileUrl(
    endpoint: ProviderEndpoint,
    id: string,
    file: { message_id: string; sandbox_path: string },
    signal: AbortSignal,
  ): Promise<string>

  /** Announces a file; where its content is to be sent. */
  beginFile(
    endpoint: ProviderEndpoint,
    file: NewUpstreamFile,
    signal: AbortSignal,
  ): Promise<{ file_id: string; upload_url: string }>
  /**
   * Sends the content to the storage host: without any key, and following no redirect. No longer than
   * `total_timeout_ms`.
   */
  sendFile(
    endpoint: ProviderEndpoint,
    to: { upload_url: string; content: Readable; size: number; content_type: string; total_timeout_ms: number },
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Opens what is at an address that `fileUrl`, `sandboxFileUrl` or `completeFile` has told: without any key, and
   * following no redirect. `size` in bytes, where it is known.
   */
  openFile(
    endpoint: ProviderEndpoint,
    address: string,
    signal: AbortSignal,
  ): Promise<{ size: number | null; content: Readable }>
  /** Says that the content is there; works once. */
  completeFile(endpoint: ProviderEndpoint, file_id: string, signal: AbortSignal): Promise<{ download_url: string }>
  /** A short-lived address. */
  fileUrl(endpoint: ProviderEndpoint, file_id: string, signal: AbortSignal): Promise<string>

  /** The accounts of the token, with their plans. */
  checkAccounts(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<CheckedAccounts>
}
