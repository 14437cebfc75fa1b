insert into search_rebuild (next_id) values (11);

delete from message_terms where rowid <= 11;
delete from message_ranks where id <= 11;

insert into message_grams (rowid, grams) values (1, 'what is a heat pump');
insert into message_grams (rowid, grams) values (2, 'a heat pump moves from colder place to warmer one');
insert into message_grams (rowid, grams) values (3, '热泵 泵是 是什 什么 么');
insert into message_grams (rowid, grams) values (4, '热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处');
insert into message_grams (rowid, grams) values (5, 'and how good is it');
insert into message_grams (rowid, grams) values (6, 'its efficiency is the heat delivered divided by work cop q w');
insert into message_grams (rowid, grams) values (7, 'about three or four');
insert into message_grams (rowid, grams) values (8, 'how warm is the sea today');
insert into message_grams (rowid, grams) values (9, 'simulate tokens 400 seed 3');
insert into message_grams (rowid, grams) values (10, 'you asked about here is the short answer first');
insert into message_grams (rowid, grams) values (11, 'is this secret');
insert into message_grams (rowid, grams) values (12, 'yes');
insert into message_grams (rowid, grams) values (13, 'how many months has a year');
insert into message_grams (rowid, grams) values (14, 'twelve');
insert into message_grams (rowid, grams) values (17, '热泵 泵是 是什 什么 么');
insert into message_grams (rowid, grams) values (18, '热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处');
insert into message_grams (rowid, grams) values (19, 'where do kubectl contexts live');
insert into message_grams (rowid, grams) values (20, 'in kube config');
insert into message_grams (rowid, grams) values (21, 'whose key is this');
insert into message_grams (rowid, grams) values (22, 'from my own key');
