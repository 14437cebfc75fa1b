drop trigger searched_messages_forgotten;
drop table message_grams;
