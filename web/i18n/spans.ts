import type { Language } from '#contract/preferences.ts'

export type SpanUnit = 'day' | 'hour' | 'minute' | 'second'

/**
 * Spans of time in words of our own: they stand on the first screen, and a browser takes a tenth of a second on a slow device
 * to make the first format of any kind.
 */
export const SPAN_TEXTS: Record<Language, Record<SpanUnit, string>> = {
  'zh-CN': { day: '{count}天', hour: '{count}小时', minute: '{count}分钟', second: '{count}秒' },
  'en-US': {
    day: '{count} {count|day|days}',
    hour: '{count} {count|hour|hours}',
    minute: '{count} {count|minute|minutes}',
    second: '{count} {count|second|seconds}',
  },
  'ms-MY': { day: '{count} hari', hour: '{count} jam', minute: '{count} minit', second: '{count} saat' },
}
