-- Appends an event for each device of the recipient of a new notification about ranks. Each topic has its own trigger,
-- because `check` compares the first arguments of triggers with the topics of jobs.
create or replace trigger rank_change_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.rank-change')
