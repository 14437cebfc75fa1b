import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { Queue } from '#contract/queue.ts'
import type { AskPlot, RequestPlot, SystemInfo } from '#contract/statistics.ts'
import { anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { aPortal, success } from '#web/foundation/api.testing.ts'

export const status = {
  active_user_in_5m: 3,
  active_user_in_1h: 7,
  active_user_in_1d: 15,
  is_chatbot_busy: true,
  chatbot_waiting_count: 2,
  gpt4_count_in_3_hours: 38,
}
export const demonstration = aPortal({
  time_zone: 'Asia/Shanghai',
  sources: [
    { source: 'openai_web', enabled: false },
    { source: 'openai_api', enabled: true },
  ],
  models: [
    { source: 'openai_web', code: 'gpt_4_plugins', label: null, ...UNKNOWN_CAPABILITIES },
    { source: 'openai_api', code: 'llama', label: 'Llama 3', ...UNKNOWN_CAPABILITIES },
    { source: 'openai_api', code: 'mystery', label: null, ...UNKNOWN_CAPABILITIES },
  ],
})
const info: SystemInfo = {
  startup_time: Date.now() / 1000 - 90_000,
  total_user_count: 24,
  active: { in_5m: 4, in_1h: 7, in_1d: 15 },
  total_conversation_count: 1284,
  valid_conversation_count: 1102,
  database: { engine: 'sqlite', bytes: 5 * 2 ** 20 },
  disk: { free_bytes: 3 * 2 ** 30, total_bytes: 100 * 2 ** 30 },
}
const HOUR = 3600
const start = new Date(Math.floor(Date.now() / 3_600_000 - 3) * 3_600_000).toISOString()
const asks: AskPlot = {
  ...{ start, granularity: HOUR, count: 3 },
  series: [
    {
      ...{ source: 'openai_api', model: 'gpt_4', total: 248 },
      ...{ asks: [100, 0, 148], queueing_time: [0, 0, 0], ask_time: [0, 0, 0] },
    },
  ],
  outcomes: { finished: [100, 0, 148] },
  figures: {
    ...{ asks: 248, failed: 3, refused: 11, left_queue: 6 },
    ...{ mean_queueing_time: 38.2, longest_queueing_time: 252 },
  },
}
const requests: RequestPlot = { start, granularity: HOUR, count: 3, series: [] }
const queue: Queue = {
  now: new Date().toISOString(),
  accounts: [
    {
      ...anAccount({ used: 38, running: 1, waiting: 1, seconds_per_answer: 40 }),
      asks: [
        {
          ...{ ask_id: 'a', state: 'asking', conversation_id: 'c', title: '鸡兔同笼', model: 'gpt_4' },
          ...{ person: { id: 2, username: 'hexm', nickname: '何小满' }, since: new Date().toISOString() },
        },
        {
          ...{ ask_id: 'b', state: 'queueing', conversation_id: 'd', title: null, model: 'gpt_4' },
          ...{ person: { id: 3, username: 'chenjg', nickname: '陈建国' }, since: new Date().toISOString() },
        },
      ],
    },
  ],
}
/** For tests: the answers to all calls of the overview. */
export const ANSWERS = {
  'GET /status/common': success(status),
  'GET /status/portal': success({ ...demonstration, demonstration: false }),
  'GET /system/info': success(info),
  'GET /system/queue': success(queue),
  'GET /system/plots/asks': success(asks),
  'GET /system/plots/requests': success(requests),
  'GET /system/upstreams': success([]),
  'GET /system/unreadable-keys': success([]),
  'GET /system/jobs': success([]),
}
