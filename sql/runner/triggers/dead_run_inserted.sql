-- Records events on the topic `run.died` for all new dead runs, regardless of the statement that inserts them.
create or replace trigger dead_run_inserted after insert on dead_run
referencing new table as new_row
for each statement execute function dead_run_inserted('run.died')
