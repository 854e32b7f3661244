-- For a new notification about ranks, appends an event for each of the recipient's devices. Each topic has its own
-- trigger. The `check` command reads the topic from the trigger's first argument, and compares the topic with the
-- topics of the jobs.
create or replace trigger rank_change_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.rank-change')
