import type { KnownModelCode, Source } from '#contract/models.ts'

export const models = {
  'sources.openai_web': '网页账号',
  'sources.openai_api': 'API',
  'models.gpt_3_5': 'GPT-3.5',
  'models.gpt_3_5_mobile': 'GPT-3.5（移动版）',
  'models.gpt_4': 'GPT-4',
  'models.gpt_4_mobile': 'GPT-4（移动版）',
  'models.gpt_4_browsing': 'GPT-4 联网',
  'models.gpt_4_code_interpreter': 'GPT-4 代码解释器',
  'models.gpt_4_plugins': 'GPT-4 插件',
  'models.gpt_4_dalle': 'GPT-4 绘图（DALL·E）',
  'models.unknown': '未知（{code}）',
} as const satisfies Record<`models.${KnownModelCode}` | `sources.${Source}`, string> & Record<string, string>
