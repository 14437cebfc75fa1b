/** The sections of the configuration about the group and what its people may do: portal, asking and new_users. */
import * as z from 'zod/mini'
import { MAX_TEXT_LENGTH } from '../asking.ts'
import { MAX_INSTRUCTIONS } from '../instructions.ts'
import { Count, RateLimit, TimeSlot, WHOLE_DAY } from '../limits.ts'
import { ModelCode } from '../models.ts'
import { address, atMost, setting } from '../settings.ts'

export const Portal = z.object({
  name: setting(z.nullable(z.string().check(z.maxLength(40))), null, {
    help: 'Name shown in the header in place of Chat Commons.',
  }),
  show_names_in_line: setting(z.boolean(), false, {
    help: 'Everybody sees the nicknames of those who are being answered or wait.',
  }),
  instructions: setting(z.nullable(z.string().check(z.trim(), z.maxLength(MAX_INSTRUCTIONS))), null, {
    unit: 'characters',
    help: 'What every model of an API is told before the first question of a conversation; everybody can read it.',
  }),
  time_zone: setting(z.string().check(z.maxLength(64)), 'UTC', {
    environment: 'TZ',
    help: 'IANA time zone of time slots and daily resets.',
  }),
  public_origin: setting(address, null, {
    startOnly: true,
    restart: true,
    help: 'Address people open, such as https://chat.example.org. Behind a reverse proxy it must be set: requests from other origins are refused.',
  }),
})

export const Asking = z.object({
  max_running_asks_per_user: setting(z.int().check(z.minimum(1), z.maximum(100)), 1, {
    unit: 'asks',
    help: 'How many answers one person may wait for at once.',
  }),
  max_queue_length: setting(z.int().check(z.minimum(1), z.maximum(10_000)), 200, {
    unit: 'asks',
    help: 'When so many wait for one account, further asks are refused.',
  }),
  max_text_length: setting(z.int().check(z.minimum(1), z.maximum(MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH, {
    unit: 'characters',
    help: 'Longest question.',
  }),
  max_messages_per_conversation: setting(z.int().check(z.minimum(10), z.maximum(100_000)), 5000, {
    unit: 'messages',
    help: 'A conversation of this size is finished.',
  }),
  max_conversation_bytes: setting(z.int().check(z.minimum(65_536), z.maximum(268_435_456)), 16_777_216, {
    unit: 'bytes',
    help: 'So does one whose messages take this much: it is read as a whole.',
  }),
  default_context_message_count: setting(z.int().check(z.minimum(0), z.maximum(1000)), 1000, {
    unit: 'messages',
    help: 'How many earlier messages go along with a question when it does not say.',
  }),
  lease_seconds: setting(z.int().check(z.minimum(3), z.maximum(600)), 15, {
    unit: 'seconds',
    restart: true,
    help: 'After so long without a sign of life a running ask is closed as interrupted.',
  }),
})

export const NewUsers = z.object({
  allow_to_use: setting(z.boolean(), true, { help: 'A new person may ask at once.' }),
  valid_days: setting(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500))), null, {
    unit: 'days',
    help: 'How long an account may ask; empty: for ever.',
  }),
  max_conv_count: setting(Count, -1, { help: 'Conversations of each source; -1 is unlimited.' }),
  total_ask_count: setting(Count, -1, { unit: 'asks', help: 'Asks of each source; -1 is unlimited.' }),
  per_model_ask_count: setting(
    z.record(ModelCode, Count).check(atMost(200)),
    {},
    { unit: 'asks', help: 'Asks of each model; a model without an entry is unlimited.' },
  ),
  rate_limits: setting(z.array(RateLimit).check(z.maxLength(20)), [], {
    help: 'At most max_requests asks in any window_seconds.',
  }),
  daily_available_time_slots: setting(z.array(TimeSlot).check(z.maxLength(48)), [WHOLE_DAY], {
    help: 'When asking is allowed, in the time zone of the portal.',
  }),
  allow_custom_openai_api: setting(z.boolean(), false, { help: 'People may use an address and key of their own.' }),
})
