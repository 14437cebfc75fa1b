import type { Migration } from './migration.ts'

/** On SQLite chunks lie in the order in which they came. What a crash left there is kept: it is what an interrupted answer is made of. */
export const appendedChunks: Migration = {
  version: 5,
  name: '005-appended-chunks',
  statements: engine =>
    engine === 'postgresql'
      ? []
      : [
          'alter table "ask_chunks" rename to "ask_chunks_before"',
          'create table "ask_chunks" ("ask_id" text not null, "chunk_number" integer not null, "chunk_text" text not null) strict',
          'insert into "ask_chunks" select "ask_id", "chunk_number", "chunk_text" from "ask_chunks_before"',
          'drop table "ask_chunks_before"',
        ],
}
