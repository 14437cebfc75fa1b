import { json, table } from '../tables.ts'

export const settingTables = {
  stored_settings: table({
    columns: {
      setting_path: { kind: 'text' },
      setting_value: json<unknown>(),
      update_time: { kind: 'ms' },
      updated_by: { kind: 'int', nullable: true },
    },
    primaryKey: ['setting_path'],
  }),

  stored_credentials: table({
    columns: {
      credential_name: { kind: 'text' },
      sealed_value: { kind: 'text' },
      origin: { kind: 'text', nullable: true },
      update_time: { kind: 'ms' },
    },
    primaryKey: ['credential_name'],
  }),
}
