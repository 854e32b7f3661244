-- Lists the columns of a claimed run `r` that the worker reads (QueueCalls+Claim.swift): id, key, payload, attempt, due
-- time, first event, ctid, origin, trace, and whether the run may have stored payloads. If `run_payload` never
-- contained a row, the table is empty and no key is searched. Otherwise, each run's key is searched. A search for one
-- payload of the job would read the entries of all completed payloads while an old transaction is open. Rows: none,
-- because the fragment is only part of a statement. Locks: none. Index: run_payload_pkey.
  r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at), r.ctid, r.origin, r.trace,
  case when (select pg_relation_size('run_payload'::regclass) > 0)
    then (select true from run_payload p where p.job = $1 and p.key = r.key limit 1) is true
    else false end
