-- Lists the columns of a claimed run `r` that the worker reads (QueueCalls+Claim.swift): id, key, payload, attempt, due
-- time, first event, ctid, origin, trace, and whether the run may have stored payloads. If the job $1 reads only the
-- newest payload, PostgreSQL computes the last column once for the whole statement. If the job reads all payloads, an
-- old transaction could keep the entries of many completed payloads, so each run's key is searched. Rows: none, because
-- the fragment is only part of a statement. Locks: none. Index: run_payload_pkey.
  r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at), r.ctid, r.origin, r.trace,
  case when (select keeps_payloads from job where name = $1)
    then (select true from run_payload p where p.job = $1 and p.key = r.key limit 1) is true
    else exists (select from run_payload where job = $1 order by key, id offset 0) end
