-- Prevents the deletion of boards that still have entries.
create or replace trigger challenge_deleted after delete on challenge
referencing old table as old_row for each statement execute function challenge_deleted()
