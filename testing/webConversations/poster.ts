import type { ImagePart } from '#contract/messages.ts'
import { answered, asked, aWebConversation, called, replied } from './builder.ts'

const PROMPTS = [
  '清晨的梯田，薄雾，水彩；远处一座小木屋，屋顶有炊烟，留出上方三分之一的空白写标题。',
  'A woven bamboo handbag on a plain table, soft window light, gouache, muted greens, room for a headline above.',
]

const painted = (at: number, title: string): ImagePart => ({
  content_type: 'image_asset_pointer',
  asset_pointer: `file-service://file-Poster${at}`,
  size_bytes: 412_000,
  width: 1024,
  height: 1024,
  metadata: { dalle: { prompt: PROMPTS[at], seed: 40 + at, serialization_title: title } },
})

/** Pictures sent and generated, files read, an image generator that refuses. */
export const poster = aWebConversation('7d3e0a59-6c25-4b07-9a32-000000000000', '市集海报', 'gpt_4_dalle', [
  {
    role: 'user',
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Sketch1', width: 1200, height: 900 },
        '照这张草图的感觉，给下周的市集画两张海报底图。摊位名单在文件里。',
      ],
    },
    metadata: {
      attachments: [
        { name: '草图.jpg', id: 'file-Sketch1', size: 820_000, mimeType: 'image/jpeg', width: 1200, height: 900 },
        {
          name: '摊位名单（最终版，十一月二十日改）.pdf',
          id: 'file-Stalls',
          size: 1_240_000,
          mimeType: 'application/pdf',
        },
      ],
    },
  },
  called('myfiles_browser', 'msearch(["摊位 名单", "市集 时间"])'),
  replied(
    'myfiles_browser',
    { content_type: 'tether_browsing_display', result: '[0] 摊位名单.pdf 第 1 页\n竹编：陈家　水彩：阿敏　豆腐：老李' },
    undefined,
    1.2,
  ),
  called('dalle.text2im', JSON.stringify({ size: '1024x1024', prompts: PROMPTS }), 'json'),
  replied(
    'dalle.text2im',
    { content_type: 'multimodal_text', parts: [painted(0, '梯田'), painted(1, 'Handbag')] },
    undefined,
    14,
  ),
  answered('两张底图都留了写标题的地方：一张是**梯田的清晨**，一张是**竹编手袋**。'),
  asked('再画一张，要有某位明星站在摊位前。'),
  called('dalle.text2im', JSON.stringify({ prompt: 'A celebrity standing at a market stall' }), 'json'),
  replied(
    'dalle.text2im',
    { content_type: 'system_error', name: 'tool_error', text: 'This request did not follow the content policy.' },
    undefined,
    2.5,
  ),
  answered('这张画不了：画真人需要本人同意。可以换成一位没有具体身份的摊主。'),
])
