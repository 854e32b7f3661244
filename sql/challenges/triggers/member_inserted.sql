-- Updates memberships, active groups and the number of members for new members.
create or replace trigger member_inserted after insert on member
referencing new table as new_row for each statement execute function member_inserted()
