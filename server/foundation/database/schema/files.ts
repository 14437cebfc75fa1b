import { table } from '../tables.ts'

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
    },
    primaryKey: ['file_id'],
    unique: [['web_file_id']],
    indexes: [['uploader_id']],
  }),
}
