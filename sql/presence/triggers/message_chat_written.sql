-- Increments the version of a chat after a message is written.
create or replace trigger message_chat_written after insert on message
referencing new table as changed_row for each statement execute function chat_written()
