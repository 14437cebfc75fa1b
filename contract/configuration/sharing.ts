/** The sections of the configuration about the group and what its people may do: portal, asking and new_users. */
import * as z from 'zod/mini'
import { MAX_TEXT_LENGTH } from '../asking.ts'
import { MAX_INSTRUCTIONS } from '../instructions.ts'
import { Count, RateLimit, TimeSlot, WHOLE_DAY } from '../limits.ts'
import { ModelCode } from '../models.ts'
import { address, atMost, setting } from '../settings.ts'

export const Portal = z.object({
  name: setting(z.nullable(z.string().check(z.maxLength(40))), null),
  show_names_in_line: setting(z.boolean(), false),
  instructions: setting(z.nullable(z.string().check(z.trim(), z.maxLength(MAX_INSTRUCTIONS))), null, {
    unit: 'characters',
  }),
  oversight_reason: setting(z.boolean(), true),
  show_oversight: setting(z.boolean(), true),
  browser_notices: setting(z.boolean(), true),
  time_zone: setting(z.string().check(z.maxLength(64)), 'UTC', { environment: 'TZ' }),
  public_origin: setting(address, null, {
    startOnly: true,
    restart: true,
    note: 'Behind one, requests from other origins are refused without it.',
  }),
})

export const Asking = z.object({
  max_running_asks_per_user: setting(z.int().check(z.minimum(1), z.maximum(100)), 1, { unit: 'asks' }),
  max_queue_length: setting(z.int().check(z.minimum(1), z.maximum(10_000)), 200, { unit: 'asks' }),
  max_text_length: setting(z.int().check(z.minimum(1), z.maximum(MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH, {
    unit: 'characters',
  }),
  max_messages_per_conversation: setting(z.int().check(z.minimum(10), z.maximum(100_000)), 5000, { unit: 'messages' }),
  max_conversation_bytes: setting(z.int().check(z.minimum(65_536), z.maximum(268_435_456)), 16_777_216, {
    unit: 'bytes',
  }),
  default_context_message_count: setting(z.int().check(z.minimum(0), z.maximum(1000)), 1000, { unit: 'messages' }),
  lease_seconds: setting(z.int().check(z.minimum(3), z.maximum(600)), 15, { unit: 'seconds', restart: true }),
})

export const NewUsers = z.object({
  allow_to_use: setting(z.boolean(), true),
  valid_days: setting(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500))), null, {
    unit: 'days',
    note: 'Empty: for ever.',
  }),
  max_conv_count: setting(Count, -1),
  total_ask_count: setting(Count, -1, { unit: 'asks' }),
  per_model_ask_count: setting(z.record(ModelCode, Count).check(atMost(200)), {}, { unit: 'asks' }),
  rate_limits: setting(z.array(RateLimit).check(z.maxLength(20)), [], {
    note: 'Each has window_seconds and max_requests.',
  }),
  daily_available_time_slots: setting(z.array(TimeSlot).check(z.maxLength(48)), [WHOLE_DAY], {
    note: 'Each has start_time and end_time.',
  }),
  allow_custom_openai_api: setting(z.boolean(), false),
})

export const Money = z.object({
  currency: setting(z.string().check(z.minLength(3), z.maxLength(3)), 'USD', { note: 'A code of ISO 4217.' }),
  credits_as_money: setting(z.boolean(), false),
})
