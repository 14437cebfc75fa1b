import type * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { Email, Nickname, Password, Username } from './users.ts'
import { AskRequest, MAX_ATTACHMENTS, MAX_IMAGES, MAX_PLUGINS, MAX_TEXT_LENGTH, ResumeRequest } from './asking.ts'
import { Configuration } from './configuration/configuration.ts'
import { Credentials } from './configuration/credentials.ts'
import { Title } from './conversations.ts'
import { MAX_FILE_BYTES, UploadStart } from './files.ts'
import { ApiSetting, Count, CustomApi, RateLimit, TimeSlot, UserSettingUpdate } from './limits.ts'
import { LogFilter } from './logFiles.ts'

const passes = (schema: z.ZodMiniType, value: unknown): boolean => schema.safeParse(value).success

const ASK = { source: 'openai_api', model: 'gpt_4', new_conversation: true, text_content: 'hello' }
const UPLOAD = { file_name: 'a.txt', file_size: 1, use_case: 'my_files' }

/** Every number that comes in, with the least and the greatest that are allowed. */
const NUMBERS: readonly { name: string; least: number; greatest: number; test(value: unknown): boolean }[] = [
  {
    name: 'api_context_message_count',
    least: 0,
    greatest: 1000,
    test: value => (value === null ? false : passes(AskRequest, { ...ASK, api_context_message_count: value })),
  },
  {
    name: 'after',
    least: 0,
    greatest: Number.MAX_SAFE_INTEGER,
    test: value => passes(ResumeRequest, { resume: crypto.randomUUID(), after: value }),
  },
  { name: 'a count of asks or conversations', least: -1, greatest: 1_000_000_000, test: value => passes(Count, value) },
  {
    name: 'total_ask_count',
    least: -1,
    greatest: 1_000_000_000,
    test: value => passes(UserSettingUpdate, { openai_api: { total_ask_count: value } }),
  },
  {
    name: 'per_model_ask_count',
    least: -1,
    greatest: 1_000_000_000,
    test: value => passes(UserSettingUpdate, { openai_api: { per_model_ask_count: { gpt_4: value } } }),
  },
  {
    name: 'window_seconds',
    least: 1,
    greatest: 31_622_400,
    test: value => passes(RateLimit, { window_seconds: value, max_requests: 1 }),
  },
  {
    name: 'max_requests',
    least: 0,
    greatest: 1_000_000,
    test: value => passes(RateLimit, { window_seconds: 1, max_requests: value }),
  },
  {
    name: 'file_size',
    least: 0,
    greatest: 512 * 1024 * 1024,
    test: value => passes(UploadStart, { ...UPLOAD, file_size: value }),
  },
  { name: 'max_lines', least: 1, greatest: 5000, test: value => passes(LogFilter, { max_lines: value }) },
  ...(
    [
      ['http', 'port', 0, 65_535],
      ['data', 'max_file_upload_size', 0, 536_870_912],
      ['data', 'max_upload_bytes_per_user', 0, 1_000_000_000_000_000],
      ['auth', 'jwt_lifetime_seconds', 1, 315_360_000],
      ['auth', 'cookie_max_age', 1, 315_360_000],
      ['openai_web', 'common_timeout', 1, 604_800],
      ['openai_web', 'ask_timeout', 1, 604_800],
      ['openai_api', 'connect_timeout', 1, 604_800],
      ['openai_api', 'read_timeout', 1, 604_800],
      ['openai_api', 'ask_timeout', 1, 604_800],
      ['openai_web', 'sync_conversations_schedule_interval_hours', 1, 8760],
      ['openai_web', 'max_completion_concurrency', 1, 10_000],
      ['openai_api', 'max_completion_concurrency', 1, 10_000],
      ['asking', 'max_text_length', 1, MAX_TEXT_LENGTH],
      ['asking', 'default_context_message_count', 0, 1000],
      ['asking', 'lease_seconds', 3, 600],
    ] as const
  ).map(([section, key, least, greatest]) => ({
    name: `${section}.${key}`,
    least,
    greatest,
    test: (value: unknown) => passes(Configuration, { [section]: { [key]: value } }),
  })),
]

describe('a number', () => {
  for (const { name, least, greatest, test: allows } of NUMBERS) {
    test(`${name} is whole and from ${least} to ${greatest}`, () => {
      for (const value of [least, greatest, least + 1]) expect(allows(value), String(value)).toBe(true)
      for (const value of [
        least - 1,
        greatest + 1,
        least + 0.5,
        String(least),
        NaN,
        Infinity,
        -Infinity,
        null,
        true,
        [least],
        {},
        10n,
      ]) {
        expect(allows(value), String(value)).toBe(false)
      }
    })
  }
  test('that is missing is unlimited where the specification says so', () => {
    expect(passes(UserSettingUpdate, { openai_api: {} })).toBe(true)
    expect(passes(AskRequest, { ...ASK, api_context_message_count: null })).toBe(true)
    expect(passes(ApiSetting, { per_model_ask_count: {} })).toBe(false) // what is sent is complete
  })
})

describe('a list', () => {
  const many = (count: number, value: unknown) => Array.from({ length: count }, () => value)
  test(`of plugins may have 3, of attachments at most 10, of images 4`, () => {
    expect([MAX_PLUGINS, MAX_ATTACHMENTS, MAX_IMAGES, MAX_FILE_BYTES]).toEqual([3, 10, 4, 512 * 1024 * 1024])
    for (const [field, most, value] of [
      ['openai_web_plugin_ids', 50, 'plugin'], // more than 3 are refused by a key of their own
      ['openai_web_attachments', 10, { name: 'a', id: 'b' }],
      ['openai_web_multimodal_image_parts', 4, { asset_pointer: 'x' }],
    ] as const) {
      expect(passes(AskRequest, { ...ASK, [field]: many(most, value) }), field).toBe(true)
      expect(passes(AskRequest, { ...ASK, [field]: many(most + 1, value) }), field).toBe(false)
    }
  })
})

describe('a text', () => {
  test('of a question is at most 256,000 characters and not empty', () => {
    for (const [text, isRight] of [
      ['x', true],
      ['x'.repeat(256_000), true],
      ['x'.repeat(256_001), false],
      ['', false],
      ['a\0', true],
      ['\uD800', true],
    ] as const) {
      expect(passes(AskRequest, { ...ASK, text_content: text })).toBe(isRight)
    }
  })
  test('of a password is more than 6 digits, letters or symbols, without spaces', () => {
    for (const password of ['1234567', 'abcdefg', '!!!!!!!', '密码密码密码密', 'x'.repeat(128)])
      expect(passes(Password, password), password).toBe(true)
    for (const password of ['', '123456', '123 4567', '1234567 ', 'tab\tbed!!', 'x'.repeat(129), 1234567, null])
      expect(passes(Password, password), String(password)).toBe(false)
  })
  test('of a password ends where its line ends', () => {
    for (const end of ['\n', '\r\n', '\r', '\n\n', '\u2028'])
      expect(Password.parse(`correct-horse${end}`)).toBe('correct-horse')
    for (const password of ['correct-horse ', 'correct-horse\t', ' correct-horse\n', 'correct\nhorse', '123456\n'])
      expect(passes(Password, password), JSON.stringify(password)).toBe(false)
  })
  test('of a password is found however many line ends stand within: an expression took minutes', () => {
    expect(passes(Password, `x${'\n'.repeat(1_000_000)}y`)).toBe(false)
    expect(Password.parse(`correct-horse${'\n'.repeat(1_000_000)}`)).toBe('correct-horse')
  })
  test('of a user name is composed, in any script, of what can be seen', () => {
    expect(Username.parse('Ame\u0301lie')).toBe('Am\u00e9lie')
    for (const name of ['林', 'น้ำ', 'हिन्दी', 'Đặng_Thị.Ngọc', 'Ольга', 'محمد', '김', 'ひらがな'])
      expect(Username.parse(name)).toBe(name.normalize('NFC'))
    for (const name of [
      '\u0301anna',
      'an na',
      'anna\uFE0F',
      'an\u200Dna',
      'an\u034Fna',
      '\u3164',
      'an\u00ADna',
      'anna\u202E',
    ]) {
      expect(passes(Username, name), JSON.stringify(name)).toBe(false)
    }
  })
  test('of a user name, nickname, e-mail or title is trimmed, bounded and without control characters', () => {
    expect([Username.parse(' lin '), Nickname.parse(' 林 '), Email.parse(' a@b.co '), Title.parse(' x ')]).toEqual([
      'lin',
      '林',
      'a@b.co',
      'x',
    ])
    for (const [schema, bad] of [
      [Username, ['', ' ', '-a', 'a b', 'a'.repeat(33), 'a\nb', '../x']],
      [Nickname, ['', ' ', 'a'.repeat(65), 'a\u202Eb', 'a\nb']],
      [Email, ['a', 'a@', '@b.co', 'a b@c.de', `${'a'.repeat(250)}@b.co`]],
      [Title, ['', ' ', 'a'.repeat(201), 'a\nb', 'a\u0001b']],
    ] as const) {
      for (const value of bad) expect(passes(schema, value), JSON.stringify(value)).toBe(false)
    }
  })
  test.each([
    ['a credential', (key: unknown) => passes(Credentials, { openai_api_key: key, openai_web_access_token: null })],
    [
      'the key of a person’s own endpoint',
      (key: unknown) => passes(CustomApi, { url: 'https://models.example.org/v1/', key }),
    ],
  ])('of %s can stand in a header', (_whose, mayBe) => {
    for (const key of ['sk-proj_1.2/3+4=', ' ', '', null]) expect(mayBe(key)).toBe(true)
    for (const key of ['sk\nx', '密钥', 'sk x', 'sk\x7f', 'x'.repeat(4097)])
      expect(mayBe(key), JSON.stringify(key)).toBe(false)
  })
  test('of a time of day has hours, minutes and seconds', () => {
    const { start_time } = TimeSlot.shape
    for (const time of ['00:00:00', '23:59:59', '09:30:00', '9:30']) expect(passes(start_time, time)).toBe(true)
    for (const time of ['25:00', '09:60:00', '09:30:60', '', '09:30:00Z']) expect(passes(start_time, time)).toBe(false)
  })
})
