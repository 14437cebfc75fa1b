import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { models as zhCN } from '#web/i18n/zh-CN/models.ts'

export const models: TextsOf<typeof zhCN> = {
  'sources.openai_web': 'Web account',
  'sources.openai_api': 'API',
  'models.gpt_3_5': 'GPT-3.5',
  'models.gpt_3_5_mobile': 'GPT-3.5 (mobile)',
  'models.gpt_4': 'GPT-4',
  'models.gpt_4_mobile': 'GPT-4 (mobile)',
  'models.gpt_4_browsing': 'GPT-4 browsing',
  'models.gpt_4_code_interpreter': 'GPT-4 code interpreter',
  'models.gpt_4_plugins': 'GPT-4 plugins',
  'models.gpt_4_dalle': 'GPT-4 drawing (DALL·E)',
  'models.unknown': 'unknown ({code})',
}
