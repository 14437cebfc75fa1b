/** Of what is attached to a question; loaded with the first file. */
export const attachments = {
  'attachments.label': '附在问题里的图片和文件',
} as const
