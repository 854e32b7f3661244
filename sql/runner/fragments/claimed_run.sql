-- Lists the columns of a claimed run `r` that the worker reads (QueueCalls+Claim.swift): id, key, payload, attempt, due
-- time, first event, ctid, origin, trace. Rows: none, because the fragment is only part of a statement. Locks: none.
  r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at), r.ctid, r.origin, r.trace
