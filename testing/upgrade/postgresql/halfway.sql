insert into search_rebuild (next_id) values (11);

update searched_messages set terms = null, term_count = null, create_time = null where id <= 11;

update searched_messages set grams = array_to_tsvector(string_to_array('what is a heat pump', ' ')) where id = 1;
update searched_messages set grams = array_to_tsvector(string_to_array('a heat pump moves from colder place to warmer one', ' ')) where id = 2;
update searched_messages set grams = array_to_tsvector(string_to_array('热泵 泵是 是什 什么 么', ' ')) where id = 3;
update searched_messages set grams = array_to_tsvector(string_to_array('热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处', ' ')) where id = 4;
update searched_messages set grams = array_to_tsvector(string_to_array('and how good is it', ' ')) where id = 5;
update searched_messages set grams = array_to_tsvector(string_to_array('its efficiency is the heat delivered divided by work cop q w', ' ')) where id = 6;
update searched_messages set grams = array_to_tsvector(string_to_array('about three or four', ' ')) where id = 7;
update searched_messages set grams = array_to_tsvector(string_to_array('how warm is the sea today', ' ')) where id = 8;
update searched_messages set grams = array_to_tsvector(string_to_array('simulate tokens 400 seed 3', ' ')) where id = 9;
update searched_messages set grams = array_to_tsvector(string_to_array('you asked about here is the short answer first', ' ')) where id = 10;
update searched_messages set grams = array_to_tsvector(string_to_array('is this secret', ' ')) where id = 11;
update searched_messages set grams = array_to_tsvector(string_to_array('yes', ' ')) where id = 12;
update searched_messages set grams = array_to_tsvector(string_to_array('how many months has a year', ' ')) where id = 13;
update searched_messages set grams = array_to_tsvector(string_to_array('twelve', ' ')) where id = 14;
update searched_messages set grams = array_to_tsvector(string_to_array('热泵 泵是 是什 什么 么', ' ')) where id = 17;
update searched_messages set grams = array_to_tsvector(string_to_array('热泵 泵把 把热 热量 量从 从低 低温 温处 处搬 搬到 到高 高温 处', ' ')) where id = 18;
update searched_messages set grams = array_to_tsvector(string_to_array('where do kubectl contexts live', ' ')) where id = 19;
update searched_messages set grams = array_to_tsvector(string_to_array('in kube config', ' ')) where id = 20;
update searched_messages set grams = array_to_tsvector(string_to_array('whose key is this', ' ')) where id = 21;
update searched_messages set grams = array_to_tsvector(string_to_array('from my own key', ' ')) where id = 22;
