-- Whichever statement makes a run dead, the jobs on the topic of dead runs get an event.
create or replace trigger dead_run_inserted after insert on dead_run
referencing new table as new_row
for each statement execute function dead_run_inserted('run.died')
