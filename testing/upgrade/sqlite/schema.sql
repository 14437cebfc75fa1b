create table if not exists schema_migrations (version bigint primary key, name text not null, checksum text not null);
create table "users" (
  "id" integer primary key autoincrement not null,
  "username" text not null,
  "nickname" text not null,
  "email" text not null,
  "password_hash" text not null,
  "is_active" integer not null default 1 check ("is_active" in (0, 1)),
  "is_superuser" integer not null default 0 check ("is_superuser" in (0, 1)),
  "is_verified" integer not null default 0 check ("is_verified" in (0, 1)),
  "avatar" text,
  "remark" text,
  "create_time" integer not null,
  "last_active_time" integer,
  unique ("username")
) strict;
create table "user_source_settings" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "source" text not null,
  "allow_to_use" integer not null check ("allow_to_use" in (0, 1)),
  "valid_until" integer,
  "max_conv_count" integer not null,
  "total_ask_count" integer not null,
  "rate_limits" text not null,
  "daily_available_time_slots" text not null,
  "available_models" text not null,
  "disable_uploading" integer not null check ("disable_uploading" in (0, 1)),
  "use_team" integer not null default 0 check ("use_team" in (0, 1)),
  "allow_custom_openai_api" integer not null default 0 check ("allow_custom_openai_api" in (0, 1)),
  "custom_openai_api_url" text,
  "custom_openai_api_key" text,
  primary key ("user_id", "source")
) strict;
create table "user_credits" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "credits" real not null,
  primary key ("user_id")
) strict;
create table "user_model_ask_counts" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "source" text not null,
  "model" text not null,
  "ask_count" integer not null,
  primary key ("user_id", "source", "model")
) strict;
create table "user_preferences" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "preferences" text not null,
  "update_time" integer not null,
  primary key ("user_id")
) strict;
create table "sessions" (
  "token_hash" text not null,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "create_time" integer not null,
  "last_seen_time" integer not null,
  "expire_time" integer not null,
  "user_agent" text,
  "address" text,
  primary key ("token_hash")
) strict;
create index "sessions_user_id" on "sessions" ("user_id");
create table "sign_in_attempts" (
  "id" integer primary key autoincrement not null,
  "attempt_key" text not null,
  "attempt_time" integer not null
) strict;
create index "sign_in_attempts_attempt_key_attempt_time" on "sign_in_attempts" ("attempt_key", "attempt_time");
create table "conversations" (
  "id" integer primary key autoincrement not null,
  "conversation_id" text not null,
  "source" text not null,
  "source_id" text,
  "title" text,
  "user_id" integer references "users" ("id") on delete set null,
  "is_valid" integer not null default 1 check ("is_valid" in (0, 1)),
  "current_model" text,
  "current_node" text,
  "create_time" integer not null,
  "update_time" integer,
  "conversation_metadata" text,
  unique ("conversation_id")
) strict;
create index "conversations_user_id_is_valid_update_time" on "conversations" ("user_id", "is_valid", "update_time");
create table "messages" (
  "conversation_id" text not null references "conversations" ("conversation_id") on delete cascade,
  "message_id" text not null,
  "position" integer not null,
  "parent" text,
  "role" text not null,
  "author_name" text,
  "model" text,
  "content" text,
  "message_metadata" text,
  "create_time" integer not null,
  "withdraw_time" integer,
  primary key ("conversation_id", "message_id")
) strict;
create index "messages_conversation_id_position" on "messages" ("conversation_id", "position");
create table "searched_messages" (
  "id" integer primary key autoincrement not null,
  "conversation_id" text not null references "conversations" ("conversation_id") on delete cascade,
  "message_id" text not null,
  unique ("conversation_id", "message_id")
) strict;
create table "asks" (
  "ask_id" text not null,
  "user_id" integer not null,
  "source" text not null,
  "model" text not null,
  "conversation_id" text not null,
  "question_id" text not null,
  "reply_id" text not null,
  "ask_state" text not null,
  "outcome" text,
  "failure_key" text,
  "lane" text not null,
  "round" integer not null default 0,
  "ticket" integer not null,
  "holder" text,
  "lease_until" integer,
  "stop_requested" integer not null default 0 check ("stop_requested" in (0, 1)),
  "reserved" text not null,
  "create_time" integer not null,
  "start_time" integer,
  "first_token_time" integer,
  "end_time" integer,
  primary key ("ask_id")
) strict;
create index "asks_ask_state_lane_ticket" on "asks" ("ask_state", "lane", "ticket");
create index "asks_user_id_ask_state_create_time" on "asks" ("user_id", "ask_state", "create_time");
create index "asks_conversation_id_ask_state" on "asks" ("conversation_id", "ask_state");
create index "asks_source_model_end_time" on "asks" ("source", "model", "end_time");
create table "ask_chunks" (
  "ask_id" text not null,
  "chunk_number" integer not null,
  "chunk_text" text not null,
  primary key ("ask_id", "chunk_number")
) strict;
create table "lanes" (
  "lane" text not null,
  "next_ticket" integer not null,
  primary key ("lane")
) strict;
create table "ask_ledger" (
  "id" integer primary key autoincrement not null,
  "user_id" integer not null,
  "ask_id" text,
  "source" text not null,
  "model" text,
  "change" integer not null,
  "of_total" integer not null default 0 check ("of_total" in (0, 1)),
  "of_model" integer not null default 0 check ("of_model" in (0, 1)),
  "reason" text not null,
  "create_time" integer not null
) strict;
create index "ask_ledger_user_id_create_time" on "ask_ledger" ("user_id", "create_time");
create index "ask_ledger_ask_id" on "ask_ledger" ("ask_id");
create table "ask_logs" (
  "id" integer primary key autoincrement not null,
  "log_time" integer not null,
  "source" text not null,
  "model" text not null,
  "user_id" integer,
  "conversation_id" text,
  "queueing_time" real not null,
  "ask_time" real not null
) strict;
create index "ask_logs_log_time" on "ask_logs" ("log_time");
create table "uploaded_files" (
  "file_id" text not null,
  "uploader_id" integer not null references "users" ("id") on delete cascade,
  "original_filename" text not null,
  "size" integer not null,
  "content_type" text not null,
  "width" integer,
  "height" integer,
  "upload_time" integer not null,
  "storage_path" text,
  "web_file_id" text,
  "use_case" text,
  "upload_url" text,
  "download_url" text,
  primary key ("file_id"),
  unique ("web_file_id")
) strict;
create index "uploaded_files_uploader_id" on "uploaded_files" ("uploader_id");
create table "stored_settings" (
  "setting_path" text not null,
  "setting_value" text not null,
  "update_time" integer not null,
  "updated_by" integer,
  primary key ("setting_path")
) strict;
create table "stored_credentials" (
  "credential_name" text not null,
  "sealed_value" text not null,
  "origin" text,
  "update_time" integer not null,
  primary key ("credential_name")
) strict;
create virtual table message_grams using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii');
create trigger searched_messages_forgotten after delete on searched_messages
       begin delete from message_grams where rowid = old.id; end;
alter table "asks" add column "failure_values" text;
drop index "asks_ask_state_lane_ticket";
drop index "asks_user_id_ask_state_create_time";
drop index "asks_conversation_id_ask_state";
drop index "asks_source_model_end_time";
create index "asks_living" on "asks" ("lane", "ask_state", "round", "user_id") where end_time is null;
create index "asks_living_of_user" on "asks" ("user_id", "create_time") where end_time is null;
create index "asks_counted" on "asks" ("user_id", "create_time", "source") where end_time is null or first_token_time is not null;
create index "asks_answered" on "asks" ("source", "model", "end_time") where first_token_time is not null;
create index "asks_conversation_id_create_time" on "asks" ("conversation_id", "create_time");
alter table "ask_chunks" rename to "ask_chunks_before";
create table "ask_chunks" ("ask_id" text not null, "chunk_number" integer not null, "chunk_text" text not null) strict;
drop table "ask_chunks_before";
drop index "ask_ledger_user_id_create_time";
drop index "ask_ledger_ask_id";
create index "ask_ledger_of_user" on "ask_ledger" ("user_id", "source") where of_total or of_model;
create index "ask_ledger_of_ask" on "ask_ledger" ("ask_id") where of_total or of_model;
create table "listed_models" (
  "address_digest" text not null,
  "models" text not null,
  "read_time" integer not null,
  primary key ("address_digest")
) strict;
create virtual table message_terms using fts5 (
       terms, content = '', contentless_delete = 1, detail = none, prefix = '3', tokenize = "ascii tokenchars '.~'");
create table message_ranks (
       id integer primary key, conversation integer not null, term_count integer not null, create_time integer not null) strict;
create trigger searched_messages_terms_forgotten after delete on searched_messages
       begin delete from message_terms where rowid = old.id; delete from message_ranks where id = old.id; end;
create table "search_rebuild" (
  "next_id" integer not null
) strict;
