-- Appends events for the devices of recipients of new notifications that are not about ranks.
create or replace trigger notification_inserted after insert on notification
referencing new table as new_row for each statement execute function notification_inserted('push.notification')
