-- The jobs that each worker runs. If a worker cannot decode a run, the run is left to a worker of another release that
-- has the job. Null: a worker of an older program, to which no run is left.
alter table worker add column jobs text[] collate "C";
