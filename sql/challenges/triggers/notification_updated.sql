-- Appends an event for each device of a recipient whose rank has changed again. Inserts have a separate trigger,
-- because a trigger with transition tables may have only one event.
create or replace trigger notification_updated after update on notification
referencing old table as old_row new table as new_row
for each statement execute function notification_updated('push.rank-change')
