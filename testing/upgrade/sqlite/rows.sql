insert into schema_migrations (version, name, checksum) values
(1, '001-initial', '0a8d3f5a37a75f7d17e6e46bf3265fd42000a56a36ec63c41edaeaf1d9b12d6b'),
(2, '002-failure-values', 'fae596cf8a89694b33ed50c588cb6463ebd7bf8534fe5bc6fbbff1980618ffbb'),
(3, '003-hidden-notes-not-searched', 'c8b7a8e8315978b7ff51713d70a12efe1c744f3608dba4e3a2447cb3e3997275'),
(4, '004-indexes-of-asks', '93262f6622b6d3e787e5dde22b071b11496ceda999e0495d47e7e05a139e3b92'),
(5, '005-appended-chunks', '0cebecca453d9e68da241af9eada79eac42ff2761ef68a65914b6eec3e6bace1'),
(6, '006-indexes-of-the-ledger', 'df8cd9aedaa8bbee045ad38134291928247a39455f9e3f5e625e29902f1dfec4'),
(7, '007-listed-models', '42b22c0e70672fd0923daa8de05b22d37635d5950f979119b1691d7de47b70f8'),
(8, '008-beginnings-of-words', '77907b623b15f8c96673abff16f29bf902bbf249184131648057e84842046121');

insert into users (id, username, nickname, email, password_hash, is_active, is_superuser, is_verified, avatar, remark, create_time, last_active_time) values
(1, 'admin', 'admin', 'admin@commons.lan', '$argon2id$v=19$m=47104,t=2,p=1$COyeVwn0vGZIK4RLYt2AqA$I9xj3tEUyumd7KYP5nuIdyZLswNgH8NBmBa9h4EAoXw', 1, 1, 1, null, null, 1795830295726, 1795830296517),
(2, 'lin', '林老师', 'lin@example.org', '$argon2id$v=19$m=47104,t=2,p=1$6uY+QP6+qrOLbHiNI9ET4g$qkz7sdAlELD1vskuxJNKpmq4GfkERtafSQtGVDEi+Pw', 1, 0, 0, null, 'teaches physics', 1795830297788, 1795830298261),
(3, 'mei', 'Mei', 'mei@example.org', '$argon2id$v=19$m=47104,t=2,p=1$XmycJsl0M2CTwfNA2VYdNw$gFjX3KtuYTnIg8yyKnk7rJNTtGAlcxEeS44leBoeQco', 1, 0, 0, null, null, 1795830298649, 1795830299077),
(4, 'tan', 'Tan', 'tan@example.org', '$argon2id$v=19$m=47104,t=2,p=1$yKd1BxZpa9m0VWjygk9QSQ$p8qd/2VFO00zHYEwwCxT1kD3CClR2TXBJnfRYk7fGAo', 1, 0, 0, null, null, 1795830299485, 1795830300145),
(5, 'gone', 'Gone', 'gone@example.org', '$argon2id$v=19$m=47104,t=2,p=1$i2ytqbYG3lLL4/2pUz4+zQ$i4tBhurahiudHH2+0eLftj6t7N10BVjVQINcq3xX5ss', 0, 0, 0, null, null, 1795830300687, 1795830301117);

insert into user_source_settings (user_id, source, allow_to_use, valid_until, max_conv_count, total_ask_count, rate_limits, daily_available_time_slots, available_models, disable_uploading, use_team, allow_custom_openai_api, custom_openai_api_url, custom_openai_api_key) values
(1, 'openai_api', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 1, null, null),
(1, 'openai_web', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null),
(2, 'openai_api', 1, null, -1, 41, '[{"window_seconds":3600,"max_requests":100}]', '[{"start_time":"06:00:00","end_time":"23:59:59"},{"start_time":"00:00:00","end_time":"06:00:00"}]', '["*"]', 0, 0, 0, null, null),
(2, 'openai_web', 1, null, -1, 5, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 1, 0, null, null),
(3, 'openai_api', 1, null, -1, 8, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 1, 'http://10.9.8.7:8080/v1/', 'v1.c37da12f.GaS6ls0aefsEpbYpu7Gk0b506CjC0VZ3wMjnuYtVpAHINqN2m7uGKRzX'),
(3, 'openai_web', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null),
(4, 'openai_api', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null),
(4, 'openai_web', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null),
(5, 'openai_api', 0, 1767225600000, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null),
(5, 'openai_web', 1, null, -1, -1, '[]', '[{"start_time":"00:00:00","end_time":"23:59:59"}]', '["*"]', 0, 0, 0, null, null);

insert into user_credits (user_id, credits) values
(1, -1),
(2, 2.5),
(3, 0),
(4, 0),
(5, 0);

insert into user_model_ask_counts (user_id, source, model, ask_count) values
(2, 'openai_api', 'gpt_4', 15);

insert into user_preferences (user_id, preferences, update_time) values
(2, '{"language":"ms-MY","theme":null,"sendKey":"Ctrl+Enter","renderUserMessageInMd":false,"codeAutoWrap":false,"widerConversationPage":true}', 1795830301155);

insert into sessions (token_hash, user_id, create_time, last_seen_time, expire_time, user_agent, address) values
('o6gSiaORyf_F2poaf40wc9nAiyi0WwhYY64cmponEEY', 1, 1795830296517, 1795830296517, 1796089496517, 'node', '127.0.0.1'),
('uFQvN3xoQMayUK5hMvlzmIlWgYVaoiFnxALuWI76SeU', 2, 1795830298261, 1795830298261, 1796089498261, 'node', '127.0.0.1'),
('M4-jG7LvbOttmkR4Vl3GoMLhw-jZaaKdLHucU9qKYwA', 3, 1795830299077, 1795830299077, 1796089499077, 'node', '127.0.0.1'),
('wKc-pm14qaI4RgO5ohs_esN9H1m6YXejGk9viaoHy40', 4, 1795830300145, 1795830300145, 1796089500145, 'node', '127.0.0.1');

insert into sign_in_attempts (id, attempt_key, attempt_time) values
(1, 'sKv95lwy3fupbFmUf3G5HgOyZbv2alG4DFPteGIx9Yg', 1795830301741),
(2, 'taPdnclIvJhrw6QAE6HW008EP_gtuyzSvlf-X16SbLI', 1795830301741);

insert into stored_settings (setting_path, setting_value, update_time, updated_by) values
('openai_api.first_token_timeout', '90', 1795830296848, 1),
('openai_api.further_models', '[{"code":"tutor","label":"Tutor","upstream_name":"library-model:8b","context_length":8192}]', 1795830296848, 1),
('openai_api.max_completion_concurrency', '1', 1795830296848, 1),
('openai_api.openai_base_url', '"http://models.example.org/v1/"', 1795830296848, 1),
('openai_api.shared_limit', '200', 1795830296848, 1),
('openai_web.file_upload_strategy', '"server_upload_only"', 1795830296848, 1),
('portal.name', '"Reading room"', 1795830296848, 1),
('portal.show_names_in_line', 'true', 1795830296848, 1),
('portal.time_zone', '"Asia/Shanghai"', 1795830296848, 1);

insert into stored_credentials (credential_name, sealed_value, origin, update_time) values
('openai_api_key', 'v1.c37da12f.sjXZjDsL3lX6UvPl0RD_LUS8AOVHOEUeg4_NIpI7hCTggZDp7R9rgTCzC-t14gHh9w', 'http://models.example.org', 1795830297050),
('openai_web_access_token', 'v1.c37da12f.nkbd1oPYgYTYf7FJA5HB5EtKsaTZtSEE5A7zmwpOCuSbx8p0sJXUvXCA7fvdsioBp5qD', null, 1795830297014);

insert into listed_models (address_digest, models, read_time) values
('ed13ce5a6651302d05d4546167b0395f0bf04055eeb6d84b7beceb6bbc35a55d', '[{"id":"gpt-4","context_length":null,"for_chat":true},{"id":"library-model:8b","context_length":8192,"for_chat":true},{"id":"quick-model","context_length":null,"for_chat":true},{"id":"nomic-embed-text","context_length":null,"for_chat":false}]', 1795830297107);

insert into conversations (id, conversation_id, source, source_id, title, user_id, is_valid, current_model, current_node, create_time, update_time, conversation_metadata) values
(1, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 'openai_api', null, 'What is a heat pump', 2, 1, 'gpt_4', '01a21fd3-c467-7e7b-9dd7-3d32b45633ff', 1795830301782, 1795830301928, null),
(2, '01a21fd3-c540-7fe6-aaa4-5765ce9f6a03', 'openai_api', null, 'The sea', 2, 1, 'gpt_4', '01a21fd3-c540-757c-b3d6-0c3ef61b85af', 1795830302016, 1795830302016, null),
(3, '01a21fd3-c553-7424-b677-48898ecd511f', 'openai_api', null, 'A long answer', 2, 1, 'gpt_4', '01a21fd3-c553-73bf-bf6b-009083523032', 1795830302034, 1795830302444, null),
(4, '01a21fd3-c719-76af-b856-edf7f4dab775', 'openai_api', null, 'Deleted', 2, 0, 'tutor', '01a21fd3-c719-7348-9670-f09c5b1d5cd4', 1795830302489, 1795830302500, null),
(5, '01a21fd3-c73a-7c50-a260-8ca20f53f42c', 'openai_api', null, 'Counting', 2, 1, 'tutor', '01a21fd3-c73a-7bd6-9a1a-3f41c0b6e94a', 1795830302522, 1795830302555, null),
(6, '01a21fd3-c772-773e-8206-311d42d8f193', 'openai_api', null, 'What is a heat pump', 2, 1, 'gpt_4', '01a21fd3-c773-7485-84eb-9c17fb970b5f', 1795830302578, 1795830302578, null),
(7, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'openai_api', null, 'Brought along', 2, 1, 'gpt_3_5', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f', 1740816000000, 1740816060000, null),
(8, '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', 'openai_api', null, 'My own', 3, 1, 'gpt_4', '01a21fd3-c7b4-780e-a53e-77544fda5e24', 1795830302602, 1795830302644, null),
(9, '01a21fd3-c7a5-7903-a110-4636e8c3f159', 'openai_api', null, 'Broken off', 2, 1, 'gpt_4', '01a21fd3-c7a5-7e5b-864b-88b4d8e9e2da', 1795830302628, 1795830302628, null),
(10, '01a21fd3-c7ac-788b-a1b6-75e79b1c9a61', 'openai_api', null, 'Waiting', 4, 1, 'gpt_4', '01a21fd3-c7ac-75bd-aeff-71011937c58e', 1795830302635, 1795830302635, null);

insert into messages (conversation_id, message_id, position, parent, role, author_name, model, content, message_metadata, create_time, withdraw_time) values
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c464-7ac5-ad6d-df55c636430e', 1, null, 'user', null, null, '{"content_type":"text","text":"What is a heat pump?"}', null, 1795830301782, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 'a138e800-2de9-8af2-ae2e-a1fe9b0f2a4b', 2, '01a21fd3-c464-7ac5-ad6d-df55c636430e', 'assistant', null, 'gpt_4', '{"content_type":"thoughts","text":"They ask about heat.\nShort.","seconds":0}', '{"source":"openai_api"}', 1795830301802, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c467-7e7b-9dd7-3d32b45633ff', 3, 'a138e800-2de9-8af2-ae2e-a1fe9b0f2a4b', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"A heat pump moves heat from a colder place to a warmer one."}', '{"source":"openai_api","usage":{"prompt_tokens":13,"completion_tokens":14},"finish_reason":"stop"}', 1795830301802, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4a0-7bf7-9b92-0699e195bea7', 4, null, 'user', null, null, '{"content_type":"text","text":"热泵是什么？"}', null, 1795830301855, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4a0-7485-a43b-3eb00ebc96e7', 5, '01a21fd3-c4a0-7bf7-9b92-0699e195bea7', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"热泵把热量从低温处搬到高温处。"}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":8},"finish_reason":"stop"}', 1795830301859, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-7e53-a162-5e543fcd6af1', 6, '01a21fd3-c4a0-7485-a43b-3eb00ebc96e7', 'user', null, null, '{"content_type":"text","text":"And how good is it?"}', null, 1795830301890, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-786c-aec3-6f9feea7446f', 7, '01a21fd3-c4c2-7e53-a162-5e543fcd6af1', 'assistant', null, 'tutor', '{"content_type":"text","text":"Its efficiency is the heat delivered divided by the work, `COP = Q / W`."}', '{"source":"openai_api","usage":{"prompt_tokens":33,"completion_tokens":20},"finish_reason":"stop"}', 1795830301894, null),
('01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4e2-703f-a755-ba97007a2a0c', 8, '01a21fd3-c4c2-7e53-a162-5e543fcd6af1', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"About three or four."}', '{"source":"openai_api","usage":{"prompt_tokens":33,"completion_tokens":5},"finish_reason":"stop"}', 1795830301924, null),
('01a21fd3-c540-7fe6-aaa4-5765ce9f6a03', '01a21fd3-c540-757c-b3d6-0c3ef61b85af', 1, null, 'user', null, null, '{"content_type":"text","text":"How warm is the sea today?"}', null, 1795830302016, null),
('01a21fd3-c553-7424-b677-48898ecd511f', '01a21fd3-c553-72c8-8853-8777ddba6e19', 1, null, 'user', null, null, '{"content_type":"text","text":"/simulate tokens=400 seed=3"}', null, 1795830302034, null),
('01a21fd3-c553-7424-b677-48898ecd511f', '01a21fd3-c553-73bf-bf6b-009083523032', 2, '01a21fd3-c553-72c8-8853-8777ddba6e19', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"You asked about ****. Here is the short answer first,"}', '{"source":"openai_api","usage":null,"finish_reason":null,"ending":"stopped"}', 1795830302037, null),
('01a21fd3-c719-76af-b856-edf7f4dab775', '01a21fd3-c719-78a7-8e19-31333419c216', 1, null, 'user', null, null, '{"content_type":"text","text":"Is this secret?"}', null, 1795830302489, null),
('01a21fd3-c719-76af-b856-edf7f4dab775', '01a21fd3-c719-7348-9670-f09c5b1d5cd4', 2, '01a21fd3-c719-78a7-8e19-31333419c216', 'assistant', null, 'tutor', '{"content_type":"text","text":"Yes."}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":2},"finish_reason":"stop"}', 1795830302496, null),
('01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c73a-7ed4-beeb-291a6346be21', 1, null, 'user', null, null, '{"content_type":"text","text":"How many months has a year?"}', null, 1795830302522, null),
('01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c73a-7bd6-9a1a-3f41c0b6e94a', 2, '01a21fd3-c73a-7ed4-beeb-291a6346be21', 'assistant', null, 'tutor', '{"content_type":"text","text":"Twelve."}', '{"source":"openai_api","usage":{"prompt_tokens":14,"completion_tokens":2},"finish_reason":"stop"}', 1795830302523, null),
('01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c753-7444-b9b2-3e8a65356d1e', 3, '01a21fd3-c73a-7bd6-9a1a-3f41c0b6e94a', 'user', null, null, '{"content_type":"text","text":"How many days has a week?"}', null, 1795830302546, 1795830302574),
('01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c753-78e6-9305-67e5559337b3', 4, '01a21fd3-c753-7444-b9b2-3e8a65356d1e', 'assistant', null, 'tutor', '{"content_type":"text","text":"Seven."}', '{"source":"openai_api","usage":{"prompt_tokens":31,"completion_tokens":2},"finish_reason":"stop"}', 1795830302550, 1795830302574),
('01a21fd3-c772-773e-8206-311d42d8f193', '01a21fd3-c773-77d8-b407-b13720f6f922', 1, null, 'user', null, null, '{"content_type":"text","text":"热泵是什么？"}', '{"source":"openai_api"}', 1795830301855, null),
('01a21fd3-c772-773e-8206-311d42d8f193', '01a21fd3-c773-7485-84eb-9c17fb970b5f', 2, '01a21fd3-c773-77d8-b407-b13720f6f922', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"热泵把热量从低温处搬到高温处。"}', '{"source":"openai_api","usage":{"prompt_tokens":11,"completion_tokens":8},"finish_reason":"stop"}', 1795830301859, null),
('01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c78a-7e17-935b-cca4577722d5', 1, null, 'user', null, null, '{"content_type":"text","text":"Whose key is this?"}', null, 1795830302602, null),
('01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c78a-7f3c-8235-81dc3fad3129', 2, '01a21fd3-c78a-7e17-935b-cca4577722d5', 'assistant', null, 'gpt_4', '{"content_type":"text","text":"From my own key."}', '{"source":"openai_api","usage":{"prompt_tokens":12,"completion_tokens":5},"finish_reason":"stop"}', 1795830302604, null),
('01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c7b4-780e-a53e-77544fda5e24', 3, '01a21fd3-c78a-7f3c-8235-81dc3fad3129', 'user', null, null, '{"content_type":"text","text":"/simulate tokens=2000 seed=6"}', null, 1795830302644, null),
('01a21fd3-c7a5-7903-a110-4636e8c3f159', '01a21fd3-c7a5-7e5b-864b-88b4d8e9e2da', 1, null, 'user', null, null, '{"content_type":"text","text":"/simulate tokens=2000 seed=5"}', null, 1795830302628, null),
('01a21fd3-c7ac-788b-a1b6-75e79b1c9a61', '01a21fd3-c7ac-75bd-aeff-71011937c58e', 1, null, 'user', null, null, '{"content_type":"text","text":"Is it my turn?"}', null, 1795830302635, null),
('3a3eccf1-f62c-86d4-ae2c-40dbed88e673', '14341de7-f6c4-8317-8808-a0c22c4d1ddb', 1, null, 'user', null, null, '{"content_type":"text","text":"Where do kubectl contexts live?"}', null, 1740816000000, null),
('3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f', 2, '14341de7-f6c4-8317-8808-a0c22c4d1ddb', 'assistant', null, 'gpt_3_5', '{"content_type":"text","text":"In ~/.kube/config."}', null, 1740816060000, null);

insert into asks (ask_id, user_id, source, model, conversation_id, question_id, reply_id, ask_state, outcome, failure_key, lane, round, ticket, holder, lease_until, stop_requested, reserved, create_time, start_time, first_token_time, end_time, failure_values) values
('01a21fd3-c456-7411-a9f0-8ccda806b547', 2, 'openai_api', 'gpt_4', '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c464-7ac5-ad6d-df55c636430e', '01a21fd3-c467-7e7b-9dd7-3d32b45633ff', 'done', 'finished', null, 'openai_api', 0, 1, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830304782, 0, '{"total":true,"model":true}', 1795830301782, 1795830301782, 1795830301818, 1795830301819, null),
('01a21fd3-c49f-76a1-bbc7-5ad236e75be2', 2, 'openai_api', 'gpt_4', '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4a0-7bf7-9b92-0699e195bea7', '01a21fd3-c4a0-7485-a43b-3eb00ebc96e7', 'done', 'finished', null, 'openai_api', 0, 2, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830304855, 0, '{"total":true,"model":true}', 1795830301855, 1795830301855, 1795830301867, 1795830301868, null),
('01a21fd3-c4c2-745e-b3f3-17151d4768a3', 2, 'openai_api', 'tutor', '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-7e53-a162-5e543fcd6af1', '01a21fd3-c4c2-786c-aec3-6f9feea7446f', 'done', 'finished', null, 'openai_api', 0, 3, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830304890, 0, '{"total":true,"model":false}', 1795830301890, 1795830301890, 1795830301898, 1795830301899, null),
('01a21fd3-c4e2-7121-8596-df1b7bd3b575', 2, 'openai_api', 'gpt_4', '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-7e53-a162-5e543fcd6af1', '01a21fd3-c4e2-703f-a755-ba97007a2a0c', 'done', 'finished', null, 'openai_api', 0, 4, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830304922, 0, '{"total":true,"model":true}', 1795830301922, 1795830301922, 1795830301928, 1795830301928, null),
('01a21fd3-c540-7862-bba9-767c6b9aa8e1', 2, 'openai_api', 'gpt_4', '01a21fd3-c540-7fe6-aaa4-5765ce9f6a03', '01a21fd3-c540-757c-b3d6-0c3ef61b85af', '01a21fd3-c540-79c3-af02-04c13a98315f', 'done', 'failed', 'openai.429', 'openai_api', 0, 5, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305016, 0, '{"total":true,"model":true}', 1795830302016, 1795830302016, null, 1795830302026, '{"status":429,"retry_after_seconds":20}'),
('01a21fd3-c552-78b3-a6b2-c01c704077cd', 2, 'openai_api', 'gpt_4', '01a21fd3-c553-7424-b677-48898ecd511f', '01a21fd3-c553-72c8-8853-8777ddba6e19', '01a21fd3-c553-73bf-bf6b-009083523032', 'done', 'stopped', null, 'openai_api', 0, 6, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305281, 0, '{"total":true,"model":true}', 1795830302034, 1795830302034, 1795830302041, 1795830302444, null),
('01a21fd3-c719-7d3a-9167-47b6928caa7b', 2, 'openai_api', 'tutor', '01a21fd3-c719-76af-b856-edf7f4dab775', '01a21fd3-c719-78a7-8e19-31333419c216', '01a21fd3-c719-7348-9670-f09c5b1d5cd4', 'done', 'finished', null, 'openai_api', 0, 7, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305489, 0, '{"total":true,"model":false}', 1795830302489, 1795830302489, 1795830302500, 1795830302500, null),
('01a21fd3-c73a-7ae8-b291-71c58e60553f', 2, 'openai_api', 'tutor', '01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c73a-7ed4-beeb-291a6346be21', '01a21fd3-c73a-7bd6-9a1a-3f41c0b6e94a', 'done', 'finished', null, 'openai_api', 0, 8, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305522, 0, '{"total":true,"model":false}', 1795830302522, 1795830302522, 1795830302525, 1795830302526, null),
('01a21fd3-c752-7cf7-be5a-de9a37fa21d2', 2, 'openai_api', 'tutor', '01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c753-7444-b9b2-3e8a65356d1e', '01a21fd3-c753-78e6-9305-67e5559337b3', 'done', 'finished', null, 'openai_api', 0, 9, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305546, 0, '{"total":true,"model":false}', 1795830302546, 1795830302546, 1795830302555, 1795830302555, null),
('01a21fd3-c78a-7d57-8b66-8227c8394ee2', 3, 'openai_api', 'gpt_4', '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c78a-7e17-935b-cca4577722d5', '01a21fd3-c78a-7f3c-8235-81dc3fad3129', 'done', 'finished', null, 'openai_api:own', 0, 1, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830305602, 0, '{"total":true,"model":false}', 1795830302602, 1795830302602, 1795830302608, 1795830302609, null),
('01a21fd3-c7a4-768c-a3f4-c8fc875ffc27', 2, 'openai_api', 'gpt_4', '01a21fd3-c7a5-7903-a110-4636e8c3f159', '01a21fd3-c7a5-7e5b-864b-88b4d8e9e2da', '01a21fd3-c7a5-79c7-b158-142be373bd8b', 'asking', null, null, 'openai_api', 0, 10, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830306289, 0, '{"total":true,"model":true}', 1795830302628, 1795830302628, null, null, null),
('01a21fd3-c7ab-722b-a29a-70e8ff521c88', 4, 'openai_api', 'gpt_4', '01a21fd3-c7ac-788b-a1b6-75e79b1c9a61', '01a21fd3-c7ac-75bd-aeff-71011937c58e', '01a21fd3-c7ac-7f41-88b8-7f80068907bc', 'queueing', null, null, 'openai_api', 0, 11, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830306289, 0, '{"total":false,"model":false}', 1795830302635, null, null, null, null),
('01a21fd3-c7b4-71f1-bbac-0e042f9d570e', 3, 'openai_api', 'gpt_4', '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c7b4-780e-a53e-77544fda5e24', '01a21fd3-c7b4-7cf4-ba6a-6df2a63b0a42', 'asking', null, null, 'openai_api:own', 0, 2, 'vm-32428-01a21fd3-aa9e-7ff8-8b62-81412fe8a27c', 1795830306289, 0, '{"total":true,"model":false}', 1795830302644, 1795830302644, null, null, null);

insert into ask_chunks (ask_id, chunk_number, chunk_text) values
('01a21fd3-c552-78b3-a6b2-c01c704077cd', 34, '[{"n":34,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:02.037Z","children":[],"id":"01a21fd3-c553-73bf-bf6b-009083523032","parent":"01a21fd3-c553-72c8-8853-8777ddba6e19","content":{"content_type":"text","text":"You asked about ****. Here is the"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd3-c7a4-768c-a3f4-c8fc875ffc27', 27, '[{"n":27,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:02.630Z","children":[],"id":"01a21fd3-c7a5-79c7-b158-142be373bd8b","parent":"01a21fd3-c7a5-7e5b-864b-88b4d8e9e2da","content":{"content_type":"text","text":"You asked about ****. Here"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd3-c7a4-768c-a3f4-c8fc875ffc27', 75, '[{"n":75,"t":" is the short answer first, and then the reasons"}]'),
('01a21fd3-c7a4-768c-a3f4-c8fc875ffc27', 106, '[{"n":106,"t":" for it.\n\n## 1. Side by side\n\n|"}]'),
('01a21fd3-c7b4-71f1-bbac-0e042f9d570e', 25, '[{"n":25,"type":"message","message":{"source":"openai_api","role":"assistant","author_name":null,"model":"gpt_4","create_time":"2026-11-28T01:45:02.646Z","children":[],"id":"01a21fd3-c7b4-7cf4-ba6a-6df2a63b0a42","parent":"01a21fd3-c7b4-780e-a53e-77544fda5e24","content":{"content_type":"text","text":"Going on from “Whose key"},"metadata":{"source":"openai_api","usage":null,"finish_reason":null}}}]'),
('01a21fd3-c7b4-71f1-bbac-0e042f9d570e', 65, '[{"n":65,"t":" is this?”: you now ask about ****. What"}]'),
('01a21fd3-c7b4-71f1-bbac-0e042f9d570e', 113, '[{"n":113,"t":" was said before still holds, so I only add what"}]');

insert into lanes (lane, next_ticket) values
('openai_api', 11),
('openai_api:own', 2);

insert into ask_ledger (id, user_id, ask_id, source, model, change, of_total, of_model, reason, create_time) values
(1, 1, null, 'openai_web', null, 0, 1, 0, 'set', 1795830295726),
(2, 1, null, 'openai_api', null, 0, 1, 0, 'set', 1795830295726),
(3, 2, null, 'openai_web', null, 0, 1, 0, 'set', 1795830297789),
(4, 2, null, 'openai_api', null, 0, 1, 0, 'set', 1795830297789),
(5, 2, null, 'openai_api', null, 50, 1, 0, 'set', 1795830298282),
(6, 2, null, 'openai_api', 'gpt_4', 20, 0, 1, 'set', 1795830298282),
(7, 3, null, 'openai_web', null, 0, 1, 0, 'set', 1795830298649),
(8, 3, null, 'openai_api', null, 0, 1, 0, 'set', 1795830298649),
(9, 3, null, 'openai_api', null, 10, 1, 0, 'set', 1795830299118),
(10, 4, null, 'openai_web', null, 0, 1, 0, 'set', 1795830299485),
(11, 4, null, 'openai_api', null, 0, 1, 0, 'set', 1795830299485),
(12, 5, null, 'openai_web', null, 0, 1, 0, 'set', 1795830300687),
(13, 5, null, 'openai_api', null, 0, 1, 0, 'set', 1795830300687),
(14, 2, null, 'openai_web', null, 5, 1, 0, 'set', 1795830301152),
(15, 2, '01a21fd3-c456-7411-a9f0-8ccda806b547', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830301782),
(16, 2, '01a21fd3-c49f-76a1-bbc7-5ad236e75be2', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830301855),
(17, 2, '01a21fd3-c4c2-745e-b3f3-17151d4768a3', 'openai_api', 'tutor', -1, 1, 0, 'reserved', 1795830301890),
(18, 2, '01a21fd3-c4e2-7121-8596-df1b7bd3b575', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830301922),
(19, 2, '01a21fd3-c540-7862-bba9-767c6b9aa8e1', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830302016),
(20, 2, '01a21fd3-c540-7862-bba9-767c6b9aa8e1', 'openai_api', 'gpt_4', 1, 1, 1, 'given back', 1795830302026),
(21, 2, '01a21fd3-c552-78b3-a6b2-c01c704077cd', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830302034),
(22, 2, '01a21fd3-c719-7d3a-9167-47b6928caa7b', 'openai_api', 'tutor', -1, 1, 0, 'reserved', 1795830302489),
(23, 2, '01a21fd3-c73a-7ae8-b291-71c58e60553f', 'openai_api', 'tutor', -1, 1, 0, 'reserved', 1795830302522),
(24, 2, '01a21fd3-c752-7cf7-be5a-de9a37fa21d2', 'openai_api', 'tutor', -1, 1, 0, 'reserved', 1795830302546),
(25, 3, '01a21fd3-c78a-7d57-8b66-8227c8394ee2', 'openai_api', 'gpt_4', -1, 1, 0, 'reserved', 1795830302602),
(26, 2, '01a21fd3-c7a4-768c-a3f4-c8fc875ffc27', 'openai_api', 'gpt_4', -1, 1, 1, 'reserved', 1795830302628),
(27, 3, '01a21fd3-c7b4-71f1-bbac-0e042f9d570e', 'openai_api', 'gpt_4', -1, 1, 0, 'reserved', 1795830302644);

insert into ask_logs (id, log_time, source, model, user_id, conversation_id, queueing_time, ask_time) values
(1, 1795830301819, 'openai_api', 'gpt_4', 2, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 0, 0.037),
(2, 1795830301868, 'openai_api', 'gpt_4', 2, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 0, 0.013),
(3, 1795830301899, 'openai_api', 'tutor', 2, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 0, 0.009),
(4, 1795830301928, 'openai_api', 'gpt_4', 2, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', 0, 0.006),
(5, 1795830302444, 'openai_api', 'gpt_4', 2, '01a21fd3-c553-7424-b677-48898ecd511f', 0, 0.41),
(6, 1795830302500, 'openai_api', 'tutor', 2, '01a21fd3-c719-76af-b856-edf7f4dab775', 0, 0.011),
(7, 1795830302526, 'openai_api', 'tutor', 2, '01a21fd3-c73a-7c50-a260-8ca20f53f42c', 0, 0.004),
(8, 1795830302555, 'openai_api', 'tutor', 2, '01a21fd3-c73a-7c50-a260-8ca20f53f42c', 0, 0.009),
(9, 1795830302609, 'openai_api', 'gpt_4', 3, '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', 0, 0.007);

insert into uploaded_files (file_id, uploader_id, original_filename, size, content_type, width, height, upload_time, storage_path, web_file_id, use_case, upload_url, download_url) values
('01a21fd3-c780-78d8-9f46-237c738e2463', 2, 'notes.txt', 27, 'text/plain', null, null, 1795830302596, 'uploads/2/01a21fd3-c780-78d8-9f46-237c738e2463.dat', null, null, null, null);

insert into searched_messages (id, conversation_id, message_id) values
(1, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c464-7ac5-ad6d-df55c636430e'),
(2, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c467-7e7b-9dd7-3d32b45633ff'),
(3, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4a0-7bf7-9b92-0699e195bea7'),
(4, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4a0-7485-a43b-3eb00ebc96e7'),
(5, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-7e53-a162-5e543fcd6af1'),
(6, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4c2-786c-aec3-6f9feea7446f'),
(7, '01a21fd3-c465-7a11-a3c2-2c41a14f45e8', '01a21fd3-c4e2-703f-a755-ba97007a2a0c'),
(8, '01a21fd3-c540-7fe6-aaa4-5765ce9f6a03', '01a21fd3-c540-757c-b3d6-0c3ef61b85af'),
(9, '01a21fd3-c553-7424-b677-48898ecd511f', '01a21fd3-c553-72c8-8853-8777ddba6e19'),
(10, '01a21fd3-c553-7424-b677-48898ecd511f', '01a21fd3-c553-73bf-bf6b-009083523032'),
(11, '01a21fd3-c719-76af-b856-edf7f4dab775', '01a21fd3-c719-78a7-8e19-31333419c216'),
(12, '01a21fd3-c719-76af-b856-edf7f4dab775', '01a21fd3-c719-7348-9670-f09c5b1d5cd4'),
(13, '01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c73a-7ed4-beeb-291a6346be21'),
(14, '01a21fd3-c73a-7c50-a260-8ca20f53f42c', '01a21fd3-c73a-7bd6-9a1a-3f41c0b6e94a'),
(17, '01a21fd3-c772-773e-8206-311d42d8f193', '01a21fd3-c773-77d8-b407-b13720f6f922'),
(18, '01a21fd3-c772-773e-8206-311d42d8f193', '01a21fd3-c773-7485-84eb-9c17fb970b5f'),
(19, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', '14341de7-f6c4-8317-8808-a0c22c4d1ddb'),
(20, '3a3eccf1-f62c-86d4-ae2c-40dbed88e673', 'f9c7d1c1-e24f-88b7-82cb-8cd7a73ac58f'),
(21, '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c78a-7e17-935b-cca4577722d5'),
(22, '01a21fd3-c78a-71e2-bd3d-0b1be9bc1c3f', '01a21fd3-c78a-7f3c-8235-81dc3fad3129');

insert into message_terms (rowid, terms) values (1, 'what is a heat pump');
insert into message_terms (rowid, terms) values (2, 'a heat pump moves from colder place to warmer one');
insert into message_terms (rowid, terms) values (3, '热泵 泵是 是什 什么 么');
insert into message_terms (rowid, terms) values (4, '热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处');
insert into message_terms (rowid, terms) values (5, 'and how good is it');
insert into message_terms (rowid, terms) values (6, 'its efficiency is the heat delivered divided by work cop q w');
insert into message_terms (rowid, terms) values (7, 'about three or four');
insert into message_terms (rowid, terms) values (8, 'how warm is the sea today');
insert into message_terms (rowid, terms) values (9, 'simulate tokens 400 seed 3');
insert into message_terms (rowid, terms) values (10, 'you asked about here is the short answer first');
insert into message_terms (rowid, terms) values (11, 'is this secret');
insert into message_terms (rowid, terms) values (12, 'yes');
insert into message_terms (rowid, terms) values (13, 'how many months has a year');
insert into message_terms (rowid, terms) values (14, 'twelve');
insert into message_terms (rowid, terms) values (17, '热泵 泵是 是什 什么 么');
insert into message_terms (rowid, terms) values (18, '热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处');
insert into message_terms (rowid, terms) values (19, 'where do kubectl contexts live');
insert into message_terms (rowid, terms) values (20, 'in kube config');
insert into message_terms (rowid, terms) values (21, 'whose key is this');
insert into message_terms (rowid, terms) values (22, 'from my own key');

-- search_rebuild: none

insert into message_ranks (id, conversation, term_count, create_time) values
(1, 1, 5, 1795830301782),
(2, 1, 10, 1795830301802),
(3, 1, 5, 1795830301855),
(4, 1, 13, 1795830301859),
(5, 1, 5, 1795830301890),
(6, 1, 12, 1795830301894),
(7, 1, 4, 1795830301924),
(8, 2, 6, 1795830302016),
(9, 3, 5, 1795830302034),
(10, 3, 9, 1795830302037),
(11, 4, 3, 1795830302489),
(12, 4, 1, 1795830302496),
(13, 5, 6, 1795830302522),
(14, 5, 1, 1795830302523),
(17, 6, 5, 1795830301855),
(18, 6, 13, 1795830301859),
(19, 7, 5, 1740816000000),
(20, 7, 3, 1740816060000),
(21, 8, 4, 1795830302602),
(22, 8, 4, 1795830302604);
