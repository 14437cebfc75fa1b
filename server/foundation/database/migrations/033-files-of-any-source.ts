import { type Engine, tableDefinition, table } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** As they were made then: what they become later is another migration's. */
const aFile = { kind: 'text', references: 'uploaded_files.file_id', onDelete: 'cascade' } as const
const fileTexts = table({
  columns: { file_id: aFile, file_text: { kind: 'text' } },
  primaryKey: ['file_id'],
})
const filePages = table({
  columns: {
    file_id: aFile,
    page_number: { kind: 'int' },
    storage_path: { kind: 'text' },
    content_type: { kind: 'text' },
    size: { kind: 'int' },
    width: { kind: 'int', nullable: true },
    height: { kind: 'int', nullable: true },
  },
  primaryKey: ['file_id', 'page_number'],
})

/**
 * Files are kept once a person and content, with their text, a small picture and pages as pictures. Of one that is
 * deleted or has expired the row stays, so that the conversations that used it can say so.
 */
export const filesOfAnySource: Migration = {
  version: 33,
  name: '033-files-of-any-source',
  statements: engine => [
    ...COLUMNS[engine].map(column => `alter table uploaded_files add column ${column}`),
    'create index "uploaded_files_uploader_id_content_hash" on "uploaded_files" ("uploader_id", "content_hash")',
    ...tableDefinition(engine, 'file_texts', fileTexts),
    ...tableDefinition(engine, 'file_pages', filePages),
  ],
}

const columns = (text: string, integer: string): string[] => [
  `"content_hash" ${text}`,
  `"page_count" ${integer}`,
  `"text_tokens" ${integer}`,
  `"thumbnail_path" ${text}`,
  `"extra_bytes" ${integer} not null default 0`,
  `"gone_time" ${integer}`,
  `"gone_reason" ${text}`,
]

const COLUMNS: Record<Engine, readonly string[]> = {
  sqlite: columns('text', 'integer'),
  postgresql: columns('text collate "C"', 'bigint'),
}
