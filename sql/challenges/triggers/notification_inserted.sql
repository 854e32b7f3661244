-- For a new notification that is not about ranks, appends an event for each of the recipient's devices.
create or replace trigger notification_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.notification')
