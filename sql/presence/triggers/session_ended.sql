-- Stops push notifications to users who have signed out on all devices.
create or replace trigger session_ended after update on session
referencing new table as new_row
for each statement execute function session_ended()
