-- Inserts the publish lock of a new board, and starts the close again if the board's week has already ended.
create or replace trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted('week.overdue')
