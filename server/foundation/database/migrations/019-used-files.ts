import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** A file knows when and where it was asked about last. Those of before count as used: nobody wrote down whether they were. */
export const usedFiles: Migration = {
  version: 19,
  name: '019-used-files',
  statements: engine => [
    ...['source_id', 'conversation_id'].map(name => `alter table uploaded_files add column ${name} ${text[engine]}`),
    `alter table uploaded_files add column used_time ${integer[engine]}`,
    'update uploaded_files set used_time = upload_time where download_url is not null',
  ],
}

const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const text: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }
