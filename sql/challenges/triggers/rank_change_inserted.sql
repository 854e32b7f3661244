-- For a new notification about ranks, appends an event for each device of the recipient. Each topic has its own
-- trigger, because `check` compares the first arguments of triggers with the topics of jobs.
create or replace trigger rank_change_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.rank-change')
