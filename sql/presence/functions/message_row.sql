-- Converts a stored message to the row that the API functions return.
create or replace function message_row(it message) returns message_answer
language sql immutable
return row(it.id, it.group_id::text, it.user_id::text, it.content, it.created_at,
  it.deleted_at is not null)::message_answer
