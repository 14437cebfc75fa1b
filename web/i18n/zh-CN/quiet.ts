/** Asking when it is quiet. Loaded with its menu, or with the first question that waits so. */
export const quiet = {
  'quiet.now': '现在发送',
  'quiet.nowCost': '用 1 次',
  'quiet.nowAhead': '用 1 次，前面 {count} 人',
  'quiet.later': '空闲时发送',
  'quiet.laterText': '没人等时才答，只算半次',
  'quiet.laterLikely': '没人等时才答，只算半次。多半 {time} 后',
  'quiet.full': '已有 {count} 个问题在等空闲',
  'quiet.waits': '等空闲',
  'quiet.waitsLikely': '等空闲，多半 {time} 后',
  'quiet.text': '谁来问都先答他。只算半次。到 {time} 还没轮到，会问你要不要改成现在问。',
  'quiet.askNow': '改成现在问，再用半次',
} as const
