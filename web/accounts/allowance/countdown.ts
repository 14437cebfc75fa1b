/** Milliseconds until a moment of the server's clock, which is `ahead_ms` ahead of this device's. */
export function leftUntil(moment: string, now_ms: number, ahead_ms: number): number {
  return Math.max(0, Date.parse(moment) - (now_ms + ahead_ms))
}

const DAY = 86_400

/** "0:09", "12:34", "3:05:00"; null beyond a day, where seconds are no use. Rounded up, so that nobody is told to come too early. */
export function clockText(left_ms: number): string | null {
  const seconds = Math.ceil(left_ms / 1000)
  if (seconds >= DAY) return null
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = twoDigits(seconds % 60)
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${twoDigits(minutes)}:${tail}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
