alter table searched_messages drop column grams;
