import { json, table } from './definition.ts'

export const conversationTables = {
  conversations: table({
    columns: {
      id: { kind: 'id' },
      conversation_id: { kind: 'text' },
      source: { kind: 'text' },
      source_id: { kind: 'text', nullable: true },
      title: { kind: 'text', nullable: true },
      folded_title: { kind: 'text', nullable: true }, // as the search in titles compares it
      // a person gave it: what the upstream calls the conversation does not replace it
      has_own_title: { kind: 'bool', default: false },
      user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      is_valid: { kind: 'bool', default: true },
      // Of one that is not valid, as far as it is known: nobody wrote it down in earlier versions.
      hide_time: { kind: 'ms', nullable: true },
      hidden_by: { kind: 'int', nullable: true },
      deletion_id: { kind: 'int', nullable: true }, // when it was hidden together with others
      current_model: { kind: 'text', nullable: true },
      current_node: { kind: 'text', nullable: true },
      thinking_level: { kind: 'text', nullable: true }, // as it was asked last; null = as the model does by itself
      create_time: { kind: 'ms' },
      update_time: { kind: 'ms', nullable: true },
      conversation_metadata: json<Record<string, unknown>>({ nullable: true }),
      upstream_id: { kind: 'int', nullable: true }, // where it was asked last; kept when that upstream is gone
      upstream_conversation_id: { kind: 'text', nullable: true }, // what the upstream calls it
      // since when the upstream says that it does not know the conversation
      gone_upstream_time: { kind: 'ms', nullable: true },
      // when the upstream refused to go on with the custom GPT of the conversation
      gizmo_refused_time: { kind: 'ms', nullable: true },
      vanish_time: { kind: 'ms', nullable: true }, // since when it is being removed for good
      // Of one that was deleted: from when its days are counted, the deletion or the upgrade that began to count. What
      // a sync found missing is not deleted, and has none.
      ends_from: { kind: 'ms', nullable: true },
      notice_time: { kind: 'ms', nullable: true }, // since when its person is told that it goes for its age
      keep_state: { kind: 'text', nullable: true }, // asked, kept or declined: whether it stays in spite of its age
      keep_time: { kind: 'ms', nullable: true }, // since when
    },
    unique: [['conversation_id']],
    indexes: [
      ['user_id', 'is_valid', 'update_time'],
      ['create_time', 'id', 'folded_title'], // titles are searched without reading the rows
      { name: 'of_deletion', columns: ['deletion_id'], where: 'deletion_id is not null' },
      { name: 'deleted', columns: ['ends_from', 'id'], where: 'ends_from is not null' },
      { name: 'keep_asked', columns: ['keep_time'], where: "keep_state = 'asked'" },
      { name: 'vanishing', columns: ['vanish_time'], where: 'vanish_time is not null' },
      { name: 'at_upstream', columns: ['upstream_conversation_id'], where: 'upstream_conversation_id is not null' },
    ],
  }),

  // Conversations that were hidden together, and can be restored together.
  deletions: table({
    columns: {
      id: { kind: 'id' },
      create_time: { kind: 'ms' },
      deleted_by: { kind: 'int' },
      of_all: { kind: 'bool', default: false }, // everybody's
    },
  }),

  // What the upstream of a conversation has not been told yet: its title, or whether it is shown. Both are read when
  // they are sent.
  upstream_changes: table({
    columns: {
      conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
      what: { kind: 'text' }, // title, visibility
      turn: { kind: 'int', default: 0 }, // rises with each change
      failures: { kind: 'int', default: 0 },
      next_try: { kind: 'ms' },
    },
    primaryKey: ['conversation_id', 'what'],
    indexes: [['next_try']],
  }),

  messages: table({
    columns: {
      conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
      message_id: { kind: 'text' },
      position: { kind: 'int' }, // the order of arrival in the conversation
      parent: { kind: 'text', nullable: true },
      role: { kind: 'text' },
      author_name: { kind: 'text', nullable: true },
      model: { kind: 'text', nullable: true },
      content: json<unknown>({ nullable: true }),
      message_metadata: json<Record<string, unknown>>({ nullable: true }),
      create_time: { kind: 'ms' },
      withdraw_time: { kind: 'ms', nullable: true }, // since when nobody sees it: its author took it back
    },
    primaryKey: ['conversation_id', 'message_id'],
    indexes: [
      ['conversation_id', 'position'],
      { name: 'withdrawn', columns: ['withdraw_time'], where: 'withdraw_time is not null' },
    ],
  }),

  // Which messages the search knows. The words themselves are kept as each database searches best: see search.ts.
  searched_messages: table({
    columns: {
      id: { kind: 'id' },
      conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
      message_id: { kind: 'text' },
    },
    unique: [['conversation_id', 'message_id']],
  }),

  // Messages that are stored and not in the index yet (searchQueue.ts).
  search_queue: table({
    columns: {
      id: { kind: 'id' },
      conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
      message_id: { kind: 'text' },
    },
    indexes: [['conversation_id']],
  }),

  // One row: the version of the terms that all messages have; while they are indexed anew, the newest that is still to
  // be done (searchReindex.ts).
  search_index: table({ columns: { version: { kind: 'int' }, next_id: { kind: 'int', nullable: true } } }),
}

const aFile = { kind: 'text', references: 'uploaded_files.file_id', onDelete: 'cascade' } as const

export const fileTables = {
  uploaded_files: table({
    columns: {
      file_id: { kind: 'text' },
      uploader_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      original_filename: { kind: 'text' },
      size: { kind: 'int' }, // bytes
      content_type: { kind: 'text' },
      width: { kind: 'int', nullable: true }, // pixels
      height: { kind: 'int', nullable: true },
      upload_time: { kind: 'ms' },
      storage_path: { kind: 'text', nullable: true }, // below the data folder; null = not on this server
      // With the web service: begun while it has an upload_url, complete with a download_url.
      web_file_id: { kind: 'text', nullable: true },
      use_case: { kind: 'text', nullable: true },
      upload_url: { kind: 'text', nullable: true },
      download_url: { kind: 'text', nullable: true },
      upstream_id: { kind: 'int', nullable: true }, // whose the web_file_id is
      // the team account it was sent to in the name of; null = the personal one
      source_id: { kind: 'text', nullable: true },
      // The latest ask that it went with: a file that went with none is removed after a day.
      used_time: { kind: 'ms', nullable: true },
      conversation_id: { kind: 'text', nullable: true },
      // Of a file that may go with a question of any source: of what is stored, so that it is stored once.
      content_hash: { kind: 'text', nullable: true },
      page_count: { kind: 'int', nullable: true },
      text_tokens: { kind: 'int', nullable: true }, // of its text, estimated; null = it has none
      thumbnail_path: { kind: 'text', nullable: true }, // as storage_path
      extra_bytes: { kind: 'int', default: 0 }, // of its text, its thumbnail and its pages
      // Since when there is nothing but the row, which conversations name, and why: deleted or expired.
      gone_time: { kind: 'ms', nullable: true },
      gone_reason: { kind: 'text', nullable: true },
    },
    primaryKey: ['file_id'],
    unique: [['web_file_id']],
    indexes: [['uploader_id'], ['uploader_id', 'content_hash']],
  }),

  // What the browser of its owner read in a file; pages are parted by form feeds.
  file_texts: table({
    columns: { file_id: aFile, file_text: { kind: 'text' } },
    primaryKey: ['file_id'],
  }),

  // Pages of a document as pictures, as the browser drew them.
  file_pages: table({
    columns: {
      file_id: aFile,
      page_number: { kind: 'int' },
      storage_path: { kind: 'text' },
      content_type: { kind: 'text' },
      size: { kind: 'int' }, // bytes
      width: { kind: 'int', nullable: true }, // pixels
      height: { kind: 'int', nullable: true },
    },
    primaryKey: ['file_id', 'page_number'],
  }),
}
