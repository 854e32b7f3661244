-- What a new board needs, and a close that it may have missed.
create or replace trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted('week.overdue')
