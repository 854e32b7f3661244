-- A new group has its boxes.
create or replace trigger group_placed after insert on groups
for each row execute function group_placed()
