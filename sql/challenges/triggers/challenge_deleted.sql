-- Boards that are removed leave no entry behind.
create or replace trigger challenge_deleted after delete on challenge
referencing old table as old_row for each statement execute function challenge_deleted()
