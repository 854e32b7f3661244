-- A waiting run is found by its id, for example to cancel it. Without the index, the search reads all waiting runs.

-- A claimed run gets no entry, so claims are not slower. All running runs are few, and are read by worker.
create index run_waiting_id on run (id) where worker is null;
