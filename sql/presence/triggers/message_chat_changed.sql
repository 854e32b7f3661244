-- Increments the version of a chat after a message is deleted.
create or replace trigger message_chat_changed after update on message
referencing new table as changed_row for each statement execute function chat_written()
