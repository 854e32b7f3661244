-- Prevents a group from being inserted with a wrong `member_count`.
create or replace trigger group_inserted after insert on groups
for each row when (new.member_count > 0) execute function group_counted()
