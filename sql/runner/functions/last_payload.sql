-- For a job that reads all payloads, returns the id of the last payload that the next run of a key takes. If the key
-- has no payloads, the result is null. A call with `replace` has replaced the payloads before `since`, so the function
-- ignores them. A run takes at most 1,000 payloads and 4 MiB, but at least one payload. The loop stops at 1,000
-- payloads or 4 MiB, so a claim does not read the rest of a backlog. The function is STABLE so that it sees the same
-- payloads as the caller's statement. Locks: none. Index: run_payload_pkey.
create or replace function last_payload(of_job text, of_key text, since bigint default null) returns bigint
language plpgsql stable as $$
declare
  payload record;
  last bigint;
  taken bigint := 0;
begin
  for payload in
    select p.id, octet_length(p.payload::text) as size
    from free_payload p
    where p.job = of_job and p.key = of_key and p.id >= coalesce(since, 0)
    order by p.id
    limit 1000
  loop
    taken := taken + payload.size;
    exit when last is not null and taken > 4194304;
    last := payload.id;
  end loop;
  return last;
end $$
