-- Adds new messages to their authors' statistics.
create or replace trigger message_counted after insert on message
referencing new table as changed_row for each statement execute function message_counted()
