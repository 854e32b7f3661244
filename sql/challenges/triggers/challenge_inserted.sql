-- Makes the publish lock of a new board, and starts a close that the board may have missed.
create or replace trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted('week.overdue')
