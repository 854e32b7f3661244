-- Writes the boxes of a new public group.
create or replace trigger group_placed after insert on groups
for each row execute function group_placed()
