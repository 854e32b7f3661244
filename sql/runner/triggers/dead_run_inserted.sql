-- Whichever statement makes a run dead, the jobs that ask to be told of it are.
create or replace trigger dead_run_inserted after insert on dead_run
referencing new table as new_row
for each statement execute function dead_run_inserted('run.died')
