-- Domain time: what every rule about dates and ages asks. Statements say domain_now(), because a bare
-- now() always means pg_catalog.now(): a comment on it here would be one on that.
create or replace function now() returns timestamptz
language sql stable parallel safe
return domain_now();
