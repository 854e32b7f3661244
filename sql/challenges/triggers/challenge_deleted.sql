-- Refuses to remove boards whose entries remain.
create or replace trigger challenge_deleted after delete on challenge
referencing old table as old_row for each statement execute function challenge_deleted()
