import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { models as zhCN } from '#web/i18n/zh-CN/models.ts'

export const models: TextsOf<typeof zhCN> = {
  'sources.openai_web': 'Akaun web',
  'sources.openai_api': 'API',
  'models.gpt_3_5': 'GPT-3.5',
  'models.gpt_3_5_mobile': 'GPT-3.5 (mudah alih)',
  'models.gpt_4': 'GPT-4',
  'models.gpt_4_mobile': 'GPT-4 (mudah alih)',
  'models.gpt_4_browsing': 'GPT-4 melayari web',
  'models.gpt_4_code_interpreter': 'GPT-4 pentafsir kod',
  'models.gpt_4_plugins': 'GPT-4 pemalam',
  'models.gpt_4_dalle': 'GPT-4 lukisan (DALL·E)',
  'models.unknown': 'tidak diketahui ({code})',
}
