-- Inserts the publish lock of a new board. If the board's week has already ended, a new close of the week is started.
create or replace trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted('week.overdue')
