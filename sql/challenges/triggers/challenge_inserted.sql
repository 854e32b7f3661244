-- For a new board, inserts the row in board_version, which publishers lock. If the board's week has already ended, the
-- trigger starts another close of the week.
create or replace trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted('week.overdue')
