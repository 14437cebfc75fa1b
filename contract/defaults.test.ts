import { describe, expect, test } from 'vitest'
import { Configuration, SECTIONS } from './configuration/configuration.ts'
import { LogFilter } from './logFiles.ts'
import { isKnownModel, MODEL_CODES, ModelCode, PLUGIN_MODEL, SOURCES } from './models.ts'
import { DEFAULT_LANGUAGE, DEFAULT_PREFERENCES, LANGUAGES, SEND_KEYS } from './preferences.ts'

describe('the configuration that nobody has changed', () => {
  const configuration = Configuration.parse({})

  test('is what the specification lists, section 9', () => {
    expect(configuration).toMatchObject({
      openai_web: {
        common_timeout: 20,
        ask_timeout: 600,
        sync_conversations_schedule_interval_hours: 12,
        max_completion_concurrency: 1,
        file_upload_strategy: 'browser_upload_only',
        enabled_models: ['gpt_3_5', 'gpt_4', 'gpt_4_plugins'],
      },
      openai_api: { connect_timeout: 10, read_timeout: 20, enabled_models: ['gpt_3_5', 'gpt_4'] },
      auth: { jwt_lifetime_seconds: 259_200, cookie_max_age: 259_200 },
      data: { max_file_upload_size: 104_857_600, data_dir: './data', run_migration: true },
      stats: { ask_stats_ttl: 7_776_000, request_stats_ttl: 2_592_000, request_stats_filter_keywords: ['/status'] },
      http: { host: '127.0.0.1', port: 8000 },
      log: { console_log_level: 'INFO' },
      common: { create_initial_admin_user: true, initial_admin_user_username: 'admin' },
    })
  })
  test('has no constant password, no key and no upstream that would be asked without being told to', () => {
    expect(configuration.common.initial_admin_user_password).toBe(null)
    expect(configuration.http.metrics_token).toBe(null)
    expect(configuration.openai_api.openai_base_url).toBe(null)
    expect(configuration.openai_web.enabled).toBe(false)
  })
  test('lets a new person ask at once, all day', () => {
    expect(configuration.new_users).toMatchObject({
      allow_to_use: true,
      total_ask_count: -1,
      per_model_ask_count: {},
      rate_limits: [],
      daily_available_time_slots: [{ start_time: '00:00:00', end_time: '23:59:59' }],
      allow_custom_openai_api: false,
    })
  })
  test('knows the levels and strategies of the specification and no others', () => {
    for (const console_log_level of ['INFO', 'DEBUG', 'WARNING'])
      expect(SECTIONS.log.safeParse({ console_log_level }).success).toBe(true)
    expect(SECTIONS.log.safeParse({ console_log_level: 'info' }).success).toBe(false)
    for (const file_upload_strategy of [
      'server_upload_only',
      'browser_upload_only',
      'browser_upload_when_file_size_exceed',
    ]) {
      expect(SECTIONS.openai_web.safeParse({ file_upload_strategy }).success).toBe(true)
    }
    expect(SECTIONS.openai_web.safeParse({ arkose_endpoint_base: 'https://a.example/v2/' }).success).toBe(true)
    for (const arkose_endpoint_base of ['https://a.example/v2', 'https://a.example/', 'a.example/v2/']) {
      expect(SECTIONS.openai_web.safeParse({ arkose_endpoint_base }).success).toBe(false)
    }
  })
})

describe('the preferences that nobody has changed', () => {
  test('are those of the specification, section 3', () => {
    expect(DEFAULT_PREFERENCES).toMatchObject({
      theme: null,
      language: 'zh-CN',
      sendKey: 'Enter',
      renderUserMessageInMd: false,
      codeAutoWrap: false,
      widerConversationPage: true,
    })
    expect([LANGUAGES, SEND_KEYS, DEFAULT_LANGUAGE]).toEqual([
      ['zh-CN', 'en-US', 'ms-MY'],
      ['Enter', 'Shift+Enter', 'Ctrl+Enter'],
      'zh-CN',
    ])
  })
})

describe('the filter of the log', () => {
  test('shows 100 lines', () => {
    expect(LogFilter.parse({})).toEqual({ max_lines: 100 })
  })
})

describe('the model codes', () => {
  test('are those of the specification, section 3', () => {
    expect(MODEL_CODES).toEqual({
      openai_web: [
        'gpt_3_5',
        'gpt_3_5_mobile',
        'gpt_4',
        'gpt_4_mobile',
        'gpt_4_browsing',
        'gpt_4_code_interpreter',
        'gpt_4_plugins',
        'gpt_4_dalle',
      ],
      openai_api: ['gpt_3_5', 'gpt_4'],
    })
    expect(PLUGIN_MODEL).toBe('gpt_4_plugins')
  })
  test('have a name at the upstream each', () => {
    const configuration = Configuration.parse({})
    for (const source of SOURCES)
      expect(Object.keys(configuration[source].model_code_mapping).toSorted()).toEqual(
        [...MODEL_CODES[source]].toSorted(),
      )
  })
  test('may be others, which are told apart from these', () => {
    for (const code of ['gpt-4o', 'meta-llama/Llama-3.1-8B', 'qwen2.5:7b', 'a']) {
      expect(ModelCode.safeParse(code).success, code).toBe(true)
      expect(isKnownModel(code), code).toBe(false)
    }
    expect(isKnownModel('gpt_4_dalle')).toBe(true)
    for (const code of ['', '*', ' gpt_4', '-x', '中文', 'a'.repeat(65), 'a\n'])
      expect(ModelCode.safeParse(code).success, JSON.stringify(code)).toBe(false)
  })
})
