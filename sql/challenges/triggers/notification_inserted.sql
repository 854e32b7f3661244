-- Appends an event for each device of the recipient of a new notification that is not about ranks.
create or replace trigger notification_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.notification')
