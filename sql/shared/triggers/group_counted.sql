-- Rejects incorrect values of `member_count`.
create or replace trigger group_counted after update of member_count on groups
for each row when (old.member_count <> new.member_count) execute function group_counted()
