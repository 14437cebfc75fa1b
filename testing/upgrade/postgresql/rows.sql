insert into schema_migrations (version, name, checksum) values
(1, '001-initial', 'a5e1796c32872dbf1f68a6d8f603cc47ffd5e6775433200f3e4232f66c39e02a'),
(2, '002-failure-values', '8062f621550bfd97999360469f39651f95608b00ce9cfd1dec40c0067544f2c4'),
(3, '003-hidden-notes-not-searched', 'ca6ca719ee5331e0ddda47c554d4eb72f4019970e2adcb67497869e8eb5863c4'),
(4, '004-indexes-of-asks', '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92'),
(5, '005-appended-chunks', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
(6, '006-indexes-of-the-ledger', 'df8cd9aedaa8bbee045ad38134291928247a39455f9e3f5e625e29902f1dfec4'),
(7, '007-listed-models', '3609b055a64d54f41fd1e6ea177bdce67e661236c47e3764d61ff0cb91ac005f'),
(8, '008-beginnings-of-words', 'ba87f686d663731ac3822f194e1a053ea72e75eaf26177e53f2cb4a1b1d9b760');

insert into users (id, username, nickname, email, password_hash, is_active, is_superuser, is_verified, avatar, remark, create_time, last_active_time) values
(1, 'admin', 'admin', 'admin@commons.lan', '$argon2id$v=19$m=47104,t=2,p=1$U+U4NXRe73ynzqs4scoThw$m2YZ7m5HcCzJosdOXeMuKY879NybjKsnNE1K9LambAk', true, true, true, null, null, 1795830318359, 1795830319391),
(2, 'lin', '林老师', 'lin@example.org', '$argon2id$v=19$m=47104,t=2,p=1$KJAlxQaTek33ouEnjgXMhQ$Fy1uXN1SdlgGSRWomoFBaorWNUNSRwajbPxj3xb/sgU', true, false, false, null, 'teaches physics', 1795830320283, 1795830320745),
(3, 'mei', 'Mei', 'mei@example.org', '$argon2id$v=19$m=47104,t=2,p=1$1XRWQtm863LEl1PnPktVXw$DDRSbF3MMSdrujkv1WfBR9Lkc3eB2T2SEovuxcJSgY0', true, false, false, null, null, 1795830321265, 1795830322003),
(4, 'tan', 'Tan', 'tan@example.org', '$argon2id$v=19$m=47104,t=2,p=1$p4Qp6LdjXOrh2tYjkW1K5w$z4Vo44zezmb7Q+QmqmSHx6nKO+J66EgyhB8pcgeuhyQ', true, false, false, null, null, 1795830322491, 1795830323067),
(5, 'gone', 'Gone', 'gone@example.org', '$argon2id$v=19$m=47104,t=2,p=1$YxllISrSv2MG0oOP6iKE6Q$Pxfjvcqf34ftBN4A4WSwqL+38UwGXqPR3z3lIQg9kR8', false, false, false, null, null, 1795830323596, 1795830324064);

select setval(pg_get_serial_sequence('users', 'id'), 5);

insert into user_source_settings (user_id, source, allow_to_use, valid_until, max_conv_count, total_ask_count, rate_limits, daily_available_time_slots, available_models, disable_uploading, use_team, allow_custom_openai_api, custom_openai_api_url, custom_openai_api_key) values
(1, 'openai_api', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, true, null, null),
(1, 'openai_web', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null),
(2, 'openai_api', true, null, -1, 41, '[{"window_seconds":3600,"max_requests":100}]', '[{"start_time":"06:00:00","end_time":"23:59:59"},{"start_time":"00:00:00","end_time":"06:00:00"}]', '["*"]', false, false, false, null, null),
(2, 'openai_web', true, null, -1, 5, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, true, false, null, null),
(3, 'openai_api', true, null, -1, 8, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, true, 'http://10.9.8.7:8080/v1/', 'v1.0346b897.735i3KyBq3XJh5oRMHCa1f5j0jTnACj7dlBrrirVQIyLmDUrMg46-Hst'),
(3, 'openai_web', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null),
(4, 'openai_api', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null),
(4, 'openai_web', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null),
(5, 'openai_api', false, 1767225600000, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null),
(5, 'openai_web', true, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', false, false, false, null, null);

insert into user_credits (user_id, credits) values
(1, -1),
(2, 2.5),
(3, 0),
(4, 0),
(5, 0);

insert into user_model_ask_counts (user_id, source, model, ask_count) values
(2, 'openai_api', 'gpt_4', 15);

insert into user_preferences (user_id, preferences, update_time) values
(2, '{"language":"ms-MY","theme":null,"sendKey":"Ctrl+Enter","renderUserMessageInMd":false,"codeAutoWrap":false,"widerConversationPage":true}', 1795830324197);

insert into sessions (token_hash, user_id, create_time, last_seen_time, expire_time, user_agent, address) values
('5E7VDGytFObN3pGWRtXMT_-EJJTq1blcGXrSR4mx5sQ', 1, 1795830319391, 1795830319391, 1796089519391, 'node', '127.0.0.1'),
('2MDZ9QYj936iqgeRbYin7LMA8j6iMLoQjnq45b4NuKE', 2, 1795830320745, 1795830320745, 1796089520745, 'node', '127.0.0.1'),
('llVB1zKvKsBhAJLHW9FQ9eDWDbJHuLF0TLOrLWLhRQg', 3, 1795830322003, 1795830322003, 1796089522003, 'node', '127.0.0.1'),
('xURTx6IejoRNAfJJOpxoj6Wtlsi_ao_yd2ro9oh0CUE', 4, 1795830323067, 1795830323067, 1796089523067, 'node', '127.0.0.1');

insert into sign_in_attempts (id, attempt_key, attempt_time) values
(1, 'sKv95lwy3fupbFmUf3G5HgOyZbv2alG4DFPteGIx9Yg', 1795830324705),
(2, 'taPdnclIvJhrw6QAE6HW008EP_gtuyzSvlf-X16SbLI', 1795830324705);

select setval(pg_get_serial_sequence('sign_in_attempts', 'id'), 2);

insert into stored_settings (setting_path, setting_value, update_time, updated_by) values
('openai_api.first_token_timeout', '90', 1795830319580, 1),
('openai_api.further_models', '[{"code":"tutor","label":"Tutor","upstream_name":"library-model:8b","context_length":8192}]', 1795830319580, 1),
('openai_api.max_completion_concurrency', '1', 1795830319580, 1),
('openai_api.openai_base_url', '"http://models.example.org/v1/"', 1795830319580, 1),
('openai_api.shared_limit', '200', 1795830319580, 1),
('openai_web.file_upload_strategy', '"server_upload_only"', 1795830319580, 1),
('portal.name', '"Reading room"', 1795830319580, 1),
('portal.show_names_in_line', 'true', 1795830319580, 1),
('portal.time_zone', '"Asia/Shanghai"', 1795830319580, 1);

insert into stored_credentials (credential_name, sealed_value, origin, update_time) values
('openai_api_key', 'v1.0346b897.ayU_8nX0LIC9H2Fp-djjGVGmNZ8n0eN2hHkgRwST-BX44nVyPIH0i3GfbCB-Yy1XUw', 'http://models.example.org', 1795830319647),
('openai_web_access_token', 'v1.0346b897.R3FA3fnrBO-xiSecycMO_Ft1vgRo7niW1q-rGRQKbDIoKWArnZrrR4aK4Uol0wYPr8b3', null, 1795830319634);

insert into listed_models (address_digest, models, read_time) values
('ed13ce5a6651302d05d4546167b0395f0bf04055eeb6d84b7beceb6bbc35a55d', '[{"id":"gpt-4","context_length":null,"for_chat":true},{"id":"library-model:8b","context_length":8192,"for_chat":true},{"id":"quick-model","context_length":null,"for_chat":true},{"id":"nomic-embed-text","context_length":null,"for_chat":false}]', 1795830319739);

insert into conversations (id, conversation_id, source, source_id, title, user_id, is_valid, current_model, current_node, create_time, update_time, conversation_metadata) values
(1, '01a21fd4-1e27-709a-927b-76c0f5048fd9', 'openai_api', null, 'What is a heat pump', 2, true, 'gpt_4', '01a21fd4-1e36-757a-9c73-7fef119b865c', 1795830324755, 1795830325138, null),
(2, '01a21fd4-1fb8-7f6c-844f-8899c3e9b648', 'openai_api', null, 'The sea', 2, true, 'gpt_4', '01a21fd4-1fb8-7e7d-b2d4-25a8f186f271', 1795830325176, 1795830325176, null),
(3, '01a21fd4-1fc9-71a4-97e8-b6272b9565be', 'openai_api', null, 'A long answer', 2, true, 'gpt_4', '01a21fd4-1fca-74b4-a378-6a25f5ad47d6', 1795830325192, 1795830325610, null),
(4, '01a21fd4-218a-7f4c-9f06-e408a007ce06', 'openai_api', null, 'Deleted', 2, false, 'tutor', '01a21fd4-218d-7fca-96af-b4fabe12f900', 1795830325641, 1795830325655, null),
(5, '01a21fd4-21b1-7cea-a846-09bd691cf9ea', 'openai_api', null, 'Counting', 2, true, 'tutor', '01a21fd4-21b5-7530-84a4-f05390b43725', 1795830325680, 1795830325783, null),
(6, '01a21fd4-2234-7f8c-959b-d29bb40f61e9', 'openai_api', null, 'What is a heat pump', 2, true, 'gpt_4', '01a21fd4-2235-75c2-841f-dcc2447e8584', 1795830325812, 1795830325812, null),
(7, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'openai_api', null, 'Brought along', 2, true, 'gpt_3_5', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f', 1740816000000, 1740816060000, null),
(8, '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', 'openai_api', null, 'My own', 3, true, 'gpt_4', '01a21fd4-2297-77b0-ba49-02375a883a5f', 1795830325843, 1795830325910, null),
(9, '01a21fd4-2277-7944-9656-2bc0dcbe19c2', 'openai_api', null, 'Broken off', 2, true, 'gpt_4', '01a21fd4-2277-7c6e-8eca-a1d385430108', 1795830325879, 1795830325879, null),
(10, '01a21fd4-2282-729d-8590-a5492eb8829e', 'openai_api', null, 'Waiting', 4, true, 'gpt_4', '01a21fd4-2282-71be-ab95-b8418446332a', 1795830325890, 1795830325890, null);

select setval(pg_get_serial_sequence('conversations', 'id'), 10);

insert into messages (conversation_id, message_id, position, parent, role, author_name, model, content, message_metadata, create_time, withdraw_time) values
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1e27-7a2d-b5cf-cfe65a5982ed', 1, null, 'user', null, null, '{"content_type":"text","text":"What is a heat pump?"}', null, 1795830324755, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '9272cfbb-5cb1-80aa-a425-3c625ab690be', 2, '01a21fd4-1e27-7a2d-b5cf-cfe65a5982ed', 'assistant', null, 'gpt_4', '{"content_type":"thoughts","text":"They ask about heat.\nShort.","seconds":0}', '{"source":"openai_api"}', 1795830324809, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1e36-757a-9c73-7fef119b865c', 3, '9272cfbb-5cb1-80aa-a425-3c625ab690be', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"A heat pump moves heat from a colder place to a warmer one."}', '{"source":"openai_api","usage":{"prompt_tokens":13,"completion_tokens":14},"finish_reason":"stop"}', 1795830324809, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1ef3-72ac-ae05-297321029a71', 4, null, 'user', null, null, '{"content_type":"text","text":"热泵是什么？"}', null, 1795830324976, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1ef3-7593-98d6-aab1d3a4f625', 5, '01a21fd4-1ef3-72ac-ae05-297321029a71', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"热泵把热量从低温处搬到高温处。"}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":8},"finish_reason":"stop"}', 1795830324983, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3b-70af-84bf-d748f5c211f7', 6, '01a21fd4-1ef3-7593-98d6-aab1d3a4f625', 'user', null, null, '{"content_type":"text","text":"And how good is it?"}', null, 1795830325046, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3c-7855-8138-072606e4667b', 7, '01a21fd4-1f3b-70af-84bf-d748f5c211f7', 'assistant', null, 'tutor', '{"content_type":"text","text":"Its efficiency is the heat delivered divided by the work, `COP = Q / W`."}', '{"source":"openai_api","usage":{"prompt_tokens":33,"completion_tokens":20},"finish_reason":"stop"}', 1795830325086, null),
('01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f8b-79b1-9c94-e54e4418432a', 8, '01a21fd4-1f3b-70af-84bf-d748f5c211f7', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"About three or four."}', '{"source":"openai_api","usage":{"prompt_tokens":33,"completion_tokens":5},"finish_reason":"stop"}', 1795830325135, null),
('01a21fd4-1fb8-7f6c-844f-8899c3e9b648', '01a21fd4-1fb8-7e7d-b2d4-25a8f186f271', 1, null, 'user', null, null, '{"content_type":"text","text":"How warm is the sea today?"}', null, 1795830325176, null),
('01a21fd4-1fc9-71a4-97e8-b6272b9565be', '01a21fd4-1fc9-7a2d-ae31-90315e29d086', 1, null, 'user', null, null, '{"content_type":"text","text":"/simulate tokens=400 seed=3"}', null, 1795830325192, null),
('01a21fd4-1fc9-71a4-97e8-b6272b9565be', '01a21fd4-1fca-74b4-a378-6a25f5ad47d6', 2, '01a21fd4-1fc9-7a2d-ae31-90315e29d086', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"You asked about ****. Here is the short answer first,"}', '{"source":"openai_api","usage":null,"finish_reason":null,"ending":"stopped"}', 1795830325196, null),
('01a21fd4-218a-7f4c-9f06-e408a007ce06', '01a21fd4-218a-7e09-99a3-382c019f0d2b', 1, null, 'user', null, null, '{"content_type":"text","text":"Is this secret?"}', null, 1795830325641, null),
('01a21fd4-218a-7f4c-9f06-e408a007ce06', '01a21fd4-218d-7fca-96af-b4fabe12f900', 2, '01a21fd4-218a-7e09-99a3-382c019f0d2b', 'assistant', null, 'tutor', '{"content_type":"text","text":"Yes."}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":2},"finish_reason":"stop"}', 1795830325649, null),
('01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-21b1-72a6-9453-4ff3d8bfb702', 1, null, 'user', null, null, '{"content_type":"text","text":"How many months has a year?"}', null, 1795830325680, null),
('01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-21b5-7530-84a4-f05390b43725', 2, '01a21fd4-21b1-72a6-9453-4ff3d8bfb702', 'assistant', null, 'tutor', '{"content_type":"text","text":"Twelve."}', '{"source":"openai_api","usage":{"prompt_tokens":14,"completion_tokens":2},"finish_reason":"stop"}', 1795830325688, null),
('01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-2201-77b0-81a3-c41ebc9895bc', 3, '01a21fd4-21b5-7530-84a4-f05390b43725', 'user', null, null, '{"content_type":"text","text":"How many days has a week?"}', null, 1795830325750, 1795830325807),
('01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-2206-79c2-870e-5e5464467db8', 4, '01a21fd4-2201-77b0-81a3-c41ebc9895bc', 'assistant', null, 'tutor', '{"content_type":"text","text":"Seven."}', '{"source":"openai_api","usage":{"prompt_tokens":31,"completion_tokens":2},"finish_reason":"stop"}', 1795830325781, 1795830325807),
('01a21fd4-2234-7f8c-959b-d29bb40f61e9', '01a21fd4-2235-7f7d-b7ba-809c29703572', 1, null, 'user', null, null, '{"content_type":"text","text":"热泵是什么？"}', '{"source":"openai_api"}', 1795830324976, null),
('01a21fd4-2234-7f8c-959b-d29bb40f61e9', '01a21fd4-2235-75c2-841f-dcc2447e8584', 2, '01a21fd4-2235-7f7d-b7ba-809c29703572', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"热泵把热量从低温处搬到高温处。"}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":8},"finish_reason":"stop"}', 1795830324983, null),
('01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-2253-7e9c-b1b7-7b424917d4f9', 1, null, 'user', null, null, '{"content_type":"text","text":"Whose key is this?"}', null, 1795830325843, null),
('01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-225e-79ec-98da-2e28b60edf59', 2, '01a21fd4-2253-7e9c-b1b7-7b424917d4f9', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"From my own key."}', '{"source":"openai_api","usage":{"prompt_tokens":12,"completion_tokens":5},"finish_reason":"stop"}', 1795830325856, null),
('01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-2297-77b0-ba49-02375a883a5f', 3, '01a21fd4-225e-79ec-98da-2e28b60edf59', 'user', null, null, '{"content_type":"text","text":"/simulate tokens=2000 seed=6"}', null, 1795830325910, null),
('01a21fd4-2277-7944-9656-2bc0dcbe19c2', '01a21fd4-2277-7c6e-8eca-a1d385430108', 1, null, 'user', null, null, '{"content_type":"text","text":"/simulate tokens=2000 seed=5"}', null, 1795830325879, null),
('01a21fd4-2282-729d-8590-a5492eb8829e', '01a21fd4-2282-71be-ab95-b8418446332a', 1, null, 'user', null, null, '{"content_type":"text","text":"Is it my turn?"}', null, 1795830325890, null),
('3a3eccf1-f62c-86d4-ae2c-40dbed88e673', '14341de7-f6c4-8317-8808-a0c22c4d1ddb', 1, null, 'user', null, null, '{"content_type":"text","text":"Where do kubectl contexts live?"}', null, 1740816000000, null),
('3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f', 2, '14341de7-f6c4-8317-8808-a0c22c4d1ddb', 'assistant', null, 'gpt_3_5', '{"content_type":"text","text":"In ~/.kube/config."}', null, 1740816060000, null);

insert into asks (ask_id, user_id, source, model, conversation_id, question_id, reply_id, ask_state, outcome, failure_key, lane, round, ticket, holder, lease_until, stop_requested, reserved, create_time, start_time, first_token_time, end_time, failure_values) values
('01a21fd4-1e13-7c33-a2b5-8a0ab36d2151', 2, 'openai_api', 'gpt_4', '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1e27-7a2d-b5cf-cfe65a5982ed', '01a21fd4-1e36-757a-9c73-7fef119b865c', 'done', 'finished', null, 'openai_api', 0, 1, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830327758, false, '{"total":true,"model":true}', 1795830324755, 1795830324755, 1795830324873, 1795830324875, null),
('01a21fd4-1ef0-7779-9d3f-4ed6d37839f3', 2, 'openai_api', 'gpt_4', '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1ef3-72ac-ae05-297321029a71', '01a21fd4-1ef3-7593-98d6-aab1d3a4f625', 'done', 'finished', null, 'openai_api', 0, 2, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830327977, false, '{"total":true,"model":true}', 1795830324976, 1795830324976, 1795830324987, 1795830324988, null),
('01a21fd4-1f36-7849-baa6-adfec11b683e', 2, 'openai_api', 'tutor', '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3b-70af-84bf-d748f5c211f7', '01a21fd4-1f3c-7855-8138-072606e4667b', 'done', 'finished', null, 'openai_api', 0, 3, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328047, false, '{"total":true,"model":false}', 1795830325046, 1795830325046, 1795830325090, 1795830325091, null),
('01a21fd4-1f85-7bdf-a6bd-7e4ba7fc0659', 2, 'openai_api', 'gpt_4', '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3b-70af-84bf-d748f5c211f7', '01a21fd4-1f8b-79b1-9c94-e54e4418432a', 'done', 'finished', null, 'openai_api', 0, 4, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328126, false, '{"total":true,"model":true}', 1795830325125, 1795830325125, 1795830325137, 1795830325138, null),
('01a21fd4-1fb8-76fa-a1f6-c5ab74318fba', 2, 'openai_api', 'gpt_4', '01a21fd4-1fb8-7f6c-844f-8899c3e9b648', '01a21fd4-1fb8-7e7d-b2d4-25a8f186f271', '01a21fd4-1fba-756f-9c09-28fd8b969d62', 'done', 'failed', 'openai.429', 'openai_api', 0, 5, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328177, false, '{"total":true,"model":true}', 1795830325176, 1795830325176, null, 1795830325184, '{"status":429,"retry_after_seconds":20}'),
('01a21fd4-1fc8-7778-bc2a-63239745034c', 2, 'openai_api', 'gpt_4', '01a21fd4-1fc9-71a4-97e8-b6272b9565be', '01a21fd4-1fc9-7a2d-ae31-90315e29d086', '01a21fd4-1fca-74b4-a378-6a25f5ad47d6', 'done', 'stopped', null, 'openai_api', 0, 6, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328193, false, '{"total":true,"model":true}', 1795830325192, 1795830325192, 1795830325202, 1795830325610, null),
('01a21fd4-2189-7881-ac09-1d8fe5217ec5', 2, 'openai_api', 'tutor', '01a21fd4-218a-7f4c-9f06-e408a007ce06', '01a21fd4-218a-7e09-99a3-382c019f0d2b', '01a21fd4-218d-7fca-96af-b4fabe12f900', 'done', 'finished', null, 'openai_api', 0, 7, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328642, false, '{"total":true,"model":false}', 1795830325641, 1795830325641, 1795830325654, 1795830325655, null),
('01a21fd4-21b0-7acf-a33e-6465c0a3f5c4', 2, 'openai_api', 'tutor', '01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-21b1-72a6-9453-4ff3d8bfb702', '01a21fd4-21b5-7530-84a4-f05390b43725', 'done', 'finished', null, 'openai_api', 0, 8, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328681, false, '{"total":true,"model":false}', 1795830325680, 1795830325680, 1795830325701, 1795830325705, null),
('01a21fd4-21f6-7880-96c0-3bc65d8c1fc9', 2, 'openai_api', 'tutor', '01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-2201-77b0-81a3-c41ebc9895bc', '01a21fd4-2206-79c2-870e-5e5464467db8', 'done', 'finished', null, 'openai_api', 0, 9, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328751, false, '{"total":true,"model":false}', 1795830325750, 1795830325750, 1795830325782, 1795830325783, null),
('01a21fd4-2253-7a49-a334-859823aee785', 3, 'openai_api', 'gpt_4', '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-2253-7e9c-b1b7-7b424917d4f9', '01a21fd4-225e-79ec-98da-2e28b60edf59', 'done', 'finished', null, 'openai_api:own', 0, 1, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328844, false, '{"total":true,"model":false}', 1795830325843, 1795830325843, 1795830325860, 1795830325861, null),
('01a21fd4-2277-7ac1-9061-9320b6895416', 2, 'openai_api', 'gpt_4', '01a21fd4-2277-7944-9656-2bc0dcbe19c2', '01a21fd4-2277-7c6e-8eca-a1d385430108', '01a21fd4-2279-7d6e-afc6-cb84c471c41f', 'asking', null, null, 'openai_api', 0, 10, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328913, false, '{"total":true,"model":true}', 1795830325879, 1795830325879, null, null, null),
('01a21fd4-2282-7c84-9eca-751c285f0cc0', 4, 'openai_api', 'gpt_4', '01a21fd4-2282-729d-8590-a5492eb8829e', '01a21fd4-2282-71be-ab95-b8418446332a', '01a21fd4-2284-7b52-a233-acf52fca2301', 'queueing', null, null, 'openai_api', 0, 11, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328913, false, '{"total":false,"model":false}', 1795830325890, null, null, null, null),
('01a21fd4-2296-7360-b3a8-529d13c2d7f4', 3, 'openai_api', 'gpt_4', '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-2297-77b0-ba49-02375a883a5f', '01a21fd4-2297-7cf2-b494-1b7d8675fe7a', 'asking', null, null, 'openai_api:own', 0, 2, 'vm-32630-01a21fd4-02cd-7632-b99d-534820eb994e', 1795830328911, false, '{"total":true,"model":false}', 1795830325910, 1795830325910, null, null, null);

insert into ask_chunks (ask_id, chunk_number, chunk_text) values
('01a21fd4-1fc8-7778-bc2a-63239745034c', 16, '[{"n":16,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:25.196Z","children":[],"id":"01a21fd4-1fca-74b4-a378-6a25f5ad47d6","parent":"01a21fd4-1fc9-7a2d-ae31-90315e29d086","content":{"content_type":"text","text":"You asked about"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd4-1fc8-7778-bc2a-63239745034c', 47, '[{"n":47,"t":" ****. Here is the short answer"}]'),
('01a21fd4-2277-7ac1-9061-9320b6895416', 27, '[{"n":27,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:25.885Z","children":[],"id":"01a21fd4-2279-7d6e-afc6-cb84c471c41f","parent":"01a21fd4-2277-7c6e-8eca-a1d385430108","content":{"content_type":"text","text":"You asked about ****. Here"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd4-2277-7ac1-9061-9320b6895416', 75, '[{"n":75,"t":" is the short answer first, and then the reasons"}]'),
('01a21fd4-2277-7ac1-9061-9320b6895416', 103, '[{"n":103,"t":" for it.\n\n## 1. Side by side"}]'),
('01a21fd4-2277-7ac1-9061-9320b6895416', 137, '[{"n":137,"t":"\n\n| | Shared key | Own key | Local"}]'),
('01a21fd4-2296-7360-b3a8-529d13c2d7f4', 21, '[{"n":21,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:25.915Z","children":[],"id":"01a21fd4-2297-7cf2-b494-1b7d8675fe7a","parent":"01a21fd4-2297-77b0-ba49-02375a883a5f","content":{"content_type":"text","text":"Going on from “Whose"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd4-2296-7360-b3a8-529d13c2d7f4', 60, '[{"n":60,"t":" key is this?”: you now ask about ****."}]'),
('01a21fd4-2296-7360-b3a8-529d13c2d7f4', 104, '[{"n":104,"t":" What was said before still holds, so I only"}]'),
('01a21fd4-2296-7360-b3a8-529d13c2d7f4', 134, '[{"n":134,"t":" add what is new.\n\n## 1. Three"}]');

insert into lanes (lane, next_ticket) values
('openai_api', 11),
('openai_api:own', 2);

insert into ask_ledger (id, user_id, ask_id, source, model, change, of_total, of_model, reason, create_time) values
(1, 1, null, 'openai_web', null, 0, true, false, 'set', 1795830318371),
(2, 1, null, 'openai_api', null, 0, true, false, 'set', 1795830318371),
(3, 2, null, 'openai_web', null, 0, true, false, 'set', 1795830320288),
(4, 2, null, 'openai_api', null, 0, true, false, 'set', 1795830320288),
(5, 2, null, 'openai_api', null, 50, true, false, 'set', 1795830320793),
(6, 2, null, 'openai_api', 'gpt_4', 20, false, true, 'set', 1795830320797),
(7, 3, null, 'openai_web', null, 0, true, false, 'set', 1795830321276),
(8, 3, null, 'openai_api', null, 0, true, false, 'set', 1795830321276),
(9, 3, null, 'openai_api', null, 10, true, false, 'set', 1795830322016),
(10, 4, null, 'openai_web', null, 0, true, false, 'set', 1795830322493),
(11, 4, null, 'openai_api', null, 0, true, false, 'set', 1795830322493),
(12, 5, null, 'openai_web', null, 0, true, false, 'set', 1795830323601),
(13, 5, null, 'openai_api', null, 0, true, false, 'set', 1795830323601),
(14, 2, null, 'openai_web', null, 5, true, false, 'set', 1795830324164),
(15, 2, '01a21fd4-1e13-7c33-a2b5-8a0ab36d2151', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830324755),
(16, 2, '01a21fd4-1ef0-7779-9d3f-4ed6d37839f3', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830324976),
(17, 2, '01a21fd4-1f36-7849-baa6-adfec11b683e', 'openai_api', 'tutor', -1, true, false, 'reserved', 1795830325046),
(18, 2, '01a21fd4-1f85-7bdf-a6bd-7e4ba7fc0659', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830325125),
(19, 2, '01a21fd4-1fb8-76fa-a1f6-c5ab74318fba', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830325176),
(20, 2, '01a21fd4-1fb8-76fa-a1f6-c5ab74318fba', 'openai_api', 'gpt_4', 1, true, true, 'given back', 1795830325184),
(21, 2, '01a21fd4-1fc8-7778-bc2a-63239745034c', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830325192),
(22, 2, '01a21fd4-2189-7881-ac09-1d8fe5217ec5', 'openai_api', 'tutor', -1, true, false, 'reserved', 1795830325641),
(23, 2, '01a21fd4-21b0-7acf-a33e-6465c0a3f5c4', 'openai_api', 'tutor', -1, true, false, 'reserved', 1795830325680),
(24, 2, '01a21fd4-21f6-7880-96c0-3bc65d8c1fc9', 'openai_api', 'tutor', -1, true, false, 'reserved', 1795830325750),
(25, 3, '01a21fd4-2253-7a49-a334-859823aee785', 'openai_api', 'gpt_4', -1, true, false, 'reserved', 1795830325843),
(26, 2, '01a21fd4-2277-7ac1-9061-9320b6895416', 'openai_api', 'gpt_4', -1, true, true, 'reserved', 1795830325879),
(27, 3, '01a21fd4-2296-7360-b3a8-529d13c2d7f4', 'openai_api', 'gpt_4', -1, true, false, 'reserved', 1795830325910);

select setval(pg_get_serial_sequence('ask_ledger', 'id'), 27);

insert into ask_logs (id, log_time, source, model, user_id, conversation_id, queueing_time, ask_time) values
(1, 1795830324875, 'openai_api', 'gpt_4', 2, '01a21fd4-1e27-709a-927b-76c0f5048fd9', 0, 0.12),
(2, 1795830324988, 'openai_api', 'gpt_4', 2, '01a21fd4-1e27-709a-927b-76c0f5048fd9', 0, 0.012),
(3, 1795830325091, 'openai_api', 'tutor', 2, '01a21fd4-1e27-709a-927b-76c0f5048fd9', 0, 0.045),
(4, 1795830325138, 'openai_api', 'gpt_4', 2, '01a21fd4-1e27-709a-927b-76c0f5048fd9', 0, 0.013),
(5, 1795830325610, 'openai_api', 'gpt_4', 2, '01a21fd4-1fc9-71a4-97e8-b6272b9565be', 0, 0.418),
(6, 1795830325655, 'openai_api', 'tutor', 2, '01a21fd4-218a-7f4c-9f06-e408a007ce06', 0, 0.014),
(7, 1795830325705, 'openai_api', 'tutor', 2, '01a21fd4-21b1-7cea-a846-09bd691cf9ea', 0, 0.025),
(8, 1795830325783, 'openai_api', 'tutor', 2, '01a21fd4-21b1-7cea-a846-09bd691cf9ea', 0, 0.033),
(9, 1795830325861, 'openai_api', 'gpt_4', 3, '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', 0, 0.018);

select setval(pg_get_serial_sequence('ask_logs', 'id'), 9);

insert into uploaded_files (file_id, uploader_id, original_filename, size, content_type, width, height, upload_time, storage_path, web_file_id, use_case, upload_url, download_url) values
('01a21fd4-2249-7787-96c0-8cf42c1d5281', 2, 'notes.txt', 27, 'text/plain', null, null, 1795830325837, 'uploads/2/01a21fd4-2249-7787-96c0-8cf42c1d5281.dat', null, null, null, null);

insert into searched_messages (id, conversation_id, message_id, terms, term_count, create_time) values
(1, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1e27-7a2d-b5cf-cfe65a5982ed', '''a'' ''heat'' ''is'' ''pump'' ''what''', 5, 1795830324755),
(2, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1e36-757a-9c73-7fef119b865c', '''a'' ''colder'' ''from'' ''heat'' ''moves'' ''one'' ''place'' ''pump'' ''to'' ''warmer''', 10, 1795830324809),
(3, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1ef3-72ac-ae05-297321029a71', '''么'' ''什么'' ''是什'' ''泵是'' ''热泵''', 5, 1795830324976),
(4, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1ef3-7593-98d6-aab1d3a4f625', '''从低'' ''低温'' ''到高'' ''处'' ''处搬'' ''把热'' ''搬到'' ''泵把'' ''温处'' ''热泵'' ''热量'' ''量从'' ''高温''', 13, 1795830324983),
(5, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3b-70af-84bf-d748f5c211f7', '''and'' ''good'' ''how'' ''is'' ''it''', 5, 1795830325046),
(6, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f3c-7855-8138-072606e4667b', '''by'' ''cop'' ''delivered'' ''divided'' ''efficiency'' ''heat'' ''is'' ''its'' ''q'' ''the'' ''w'' ''work''', 12, 1795830325086),
(7, '01a21fd4-1e27-709a-927b-76c0f5048fd9', '01a21fd4-1f8b-79b1-9c94-e54e4418432a', '''about'' ''four'' ''or'' ''three''', 4, 1795830325135),
(8, '01a21fd4-1fb8-7f6c-844f-8899c3e9b648', '01a21fd4-1fb8-7e7d-b2d4-25a8f186f271', '''how'' ''is'' ''sea'' ''the'' ''today'' ''warm''', 6, 1795830325176),
(9, '01a21fd4-1fc9-71a4-97e8-b6272b9565be', '01a21fd4-1fc9-7a2d-ae31-90315e29d086', '''3'' ''400'' ''seed'' ''simulate'' ''tokens''', 5, 1795830325192),
(10, '01a21fd4-1fc9-71a4-97e8-b6272b9565be', '01a21fd4-1fca-74b4-a378-6a25f5ad47d6', '''about'' ''answer'' ''asked'' ''first'' ''here'' ''is'' ''short'' ''the'' ''you''', 9, 1795830325196),
(11, '01a21fd4-218a-7f4c-9f06-e408a007ce06', '01a21fd4-218a-7e09-99a3-382c019f0d2b', '''is'' ''secret'' ''this''', 3, 1795830325641),
(12, '01a21fd4-218a-7f4c-9f06-e408a007ce06', '01a21fd4-218d-7fca-96af-b4fabe12f900', '''yes''', 1, 1795830325649),
(13, '01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-21b1-72a6-9453-4ff3d8bfb702', '''a'' ''has'' ''how'' ''many'' ''months'' ''year''', 6, 1795830325680),
(14, '01a21fd4-21b1-7cea-a846-09bd691cf9ea', '01a21fd4-21b5-7530-84a4-f05390b43725', '''twelve''', 1, 1795830325688),
(17, '01a21fd4-2234-7f8c-959b-d29bb40f61e9', '01a21fd4-2235-7f7d-b7ba-809c29703572', '''么'' ''什么'' ''是什'' ''泵是'' ''热泵''', 5, 1795830324976),
(18, '01a21fd4-2234-7f8c-959b-d29bb40f61e9', '01a21fd4-2235-75c2-841f-dcc2447e8584', '''从低'' ''低温'' ''到高'' ''处'' ''处搬'' ''把热'' ''搬到'' ''泵把'' ''温处'' ''热泵'' ''热量'' ''量从'' ''高温''', 13, 1795830324983),
(19, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', '14341de7-f6c4-8317-8808-a0c22c4d1ddb', '''contexts'' ''do'' ''kubectl'' ''live'' ''where''', 5, 1740816000000),
(20, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f', '''config'' ''in'' ''kube''', 3, 1740816060000),
(21, '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-2253-7e9c-b1b7-7b424917d4f9', '''is'' ''key'' ''this'' ''whose''', 4, 1795830325843),
(22, '01a21fd4-2253-7daa-8aff-5ff1dc5325e6', '01a21fd4-225e-79ec-98da-2e28b60edf59', '''from'' ''key'' ''my'' ''own''', 4, 1795830325856);

select setval(pg_get_serial_sequence('searched_messages', 'id'), 22);

-- search_rebuild: none
