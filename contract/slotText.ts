import type { TimeSlot } from './limits.ts'
import { DAY_END } from './timeOfDay.ts'

/** "07:00–11:00"; the end of a day is 24:00. */
export const slotText = ({ start_time, end_time }: TimeSlot): string =>
  `${start_time.slice(0, 5)}–${slotEndText(end_time)}`

export const slotEndText = (end_time: string): string => (end_time === DAY_END ? '24:00' : end_time.slice(0, 5))
